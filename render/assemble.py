"""Report tables in, the context of a report out. Pure: no clock, no disk, no words.

Each function takes the rows of one report table and keeps their order: `position` and
`heat_rank` decided it already.
"""

from datetime import UTC, timedelta, tzinfo
from zoneinfo import ZoneInfo

from render import context
from render.activity import activity
from render.cells import (
    Row,
    flag,
    instant,
    integer,
    maybe_float,
    maybe_instant,
    maybe_text,
    rows,
    structs,
    text,
)
from render.ecosystem import ecosystem_section
from render.escaping import safe_url
from render.hot import followups, hot_threads
from render.labels import window_label
from render.listings import LISTINGS, listings
from render.ranked import notable_changes, watch_list
from render.restated import restatements
from render.series import comment_hours, count_series
from render.summary import summary
from render.topics import topic_names, topics_section
from render.warehouse import Frames

# As `rpt_comment_hours` cuts a window into hours or into days.
TOLD_BY_HOURS = timedelta(hours=48)


def assemble(frames: Frames, *, tool_version: str) -> context.Report:
    """The report that a window's tables hold; they hold the window once."""
    provenance = rows(frames.provenance)[0]
    counts = _counts(rows(frames.headline_counts))
    zone = ZoneInfo(text(provenance, "time_zone", default="UTC"))
    spotlight = maybe_text(provenance, "spotlight_ecosystem")
    topics = rows(frames.topics)
    names = topic_names(topics)
    trend = rows(frames.trend)
    return context.Report(
        project=_project(provenance),
        window=_window(
            provenance,
            zone,
            has_medians=any(count.median is not None for count in counts),
        ),
        counts=counts,
        summary=summary(rows(frames.summary), names=names, zone=zone),
        trend=count_series(trend, counts),
        ecosystem=ecosystem_section(
            frames, spotlight=spotlight, names=names, zone=zone
        ),
        hot_threads=hot_threads(rows(frames.hot_threads), zone=zone),
        comment_hours=comment_hours(rows(frames.comment_hours), zone=zone),
        followups=followups(rows(frames.hot_thread_outcomes), zone=zone),
        topics=topics_section(topics),
        notable_changes=notable_changes(
            rows(frames.notable_changes), names=names, zone=zone
        ),
        activity=activity(rows(frames.activity)),
        watch_list=watch_list(rows(frames.watch_list), zone=zone),
        listings=listings(rows(frames.listed_threads), zone=zone),
        provenance=_provenance(
            provenance,
            zone,
            restated=restatements(rows(frames.restatements)),
            tool_version=tool_version,
        ),
    )


def _project(row: Row) -> context.Project:
    repository = text(row, "repository")
    return context.Project(
        title=text(row, "project_title"),
        repository=repository,
        url=safe_url(f"https://github.com/{repository}"),
    )


def _window(row: Row, zone: tzinfo, *, has_medians: bool) -> context.Window:
    start_at = instant(row, "window_start_at", zone=zone)
    end_at = instant(row, "window_end_at", zone=zone)
    return context.Window(
        window_id=text(row, "window_id"),
        kind=text(row, "window_kind"),
        label=window_label(text(row, "window_id")),
        start_at=start_at,
        end_at=end_at,
        is_long=end_at.astimezone(UTC) - start_at.astimezone(UTC) > TOLD_BY_HOURS,
        is_complete=flag(row, "is_complete"),
        has_medians=has_medians,
    )


def _counts(found: list[Row]) -> tuple[context.HeadlineCount, ...]:
    if not found:
        return tuple(context.HeadlineCount(name, 0, None) for name in LISTINGS)
    row = found[0]
    return tuple(
        context.HeadlineCount(
            listing=name,
            count=integer(row, f"{name}_count"),
            median=maybe_float(row, f"{name}_count_median"),
        )
        for name in LISTINGS
    )


def _provenance(
    row: Row,
    zone: tzinfo,
    *,
    restated: tuple[context.Restatement, ...],
    tool_version: str,
) -> context.Provenance:
    streams = structs(row, "streams")
    return context.Provenance(
        completeness=text(row, "completeness"),
        data_as_of_at=maybe_instant(row, "data_as_of_at", zone=zone),
        is_synthetic=flag(row, "is_synthetic"),
        baseline_window_count=integer(row, "baseline_window_count"),
        quarantined_row_count=integer(row, "quarantined_row_count"),
        streams=tuple(_stream(stream, zone) for stream in streams),
        short_streams=tuple(
            _stream(stream, zone) for stream in streams if not flag(stream, "is_enough")
        ),
        restatements=restated,
        tool_version=tool_version,
    )


def _stream(stream: Row, zone: tzinfo) -> context.StreamCoverage:
    return context.StreamCoverage(
        stream=text(stream, "stream"),
        covered_from=maybe_instant(stream, "covered_from", zone=zone),
        covered_until=maybe_instant(stream, "covered_until", zone=zone),
    )
