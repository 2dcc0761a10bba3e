"""Pages on their way from where they are read to where they are loaded.

A parcel is a page with its rows as an Arrow batch. Packed it is hardly more than the
texts in it, so that many may wait, and it can be handed to another process.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pyarrow as pa

from pipelines.coverage import Interval
from pipelines.github.batches import Batch
from pipelines.github.paging import Walked
from pipelines.github.resource import Resource
from pipelines.ledger import Quarantined


@dataclass(frozen=True)
class Parcel:
    """A batch, field by field, with its rows as an Arrow record batch."""

    resource: Resource
    rows: pa.RecordBatch
    unfit: list[Quarantined]
    began_at: datetime
    walked: Walked
    since: datetime
    covered: Interval | None = None
    strange: frozenset[str] = frozenset()


def wrapped(batch: Batch) -> Parcel:
    """The batch with its rows in columns."""
    schema = batch.resource.schema
    rows = pa.RecordBatch.from_pylist(batch.rows, schema=schema)
    return Parcel(**{**vars(batch), "rows": rows})


def packed(parcel: Parcel) -> bytes:
    """All of it as bytes; of the resource only its stream's name."""
    fields: dict[str, Any] = dict(vars(parcel))
    fields["resource"] = parcel.resource.stream
    fields["rows"] = parcel.rows.serialize().to_pybytes()
    return pickle.dumps(fields, pickle.HIGHEST_PROTOCOL)


def unpacked(data: bytes, resources: Mapping[str, Resource]) -> Parcel:
    """The parcel that was packed; the rows are not copied once more."""
    fields = pickle.loads(data)
    resource = resources[fields["resource"]]
    rows = pa.ipc.read_record_batch(pa.py_buffer(fields["rows"]), resource.schema)
    return Parcel(**{**fields, "resource": resource, "rows": rows})
