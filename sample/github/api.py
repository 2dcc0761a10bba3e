"""The API as a pure function: a view of the world and a request give a response."""

import re
from collections.abc import Callable

from sample.github import lists, threads
from sample.github.call import Call, Limits, Refused
from sample.github.exchange import Request, Response, not_found
from sample.github.limits import rate_limit
from sample.github.past import View
from sample.github.search import search_issues
from sample.github.shapes import Address, repository_json

Route = Callable[..., Response]


def answer(view: View, request: Request, limits: Limits) -> Response:
    """What GitHub would say; unknown paths and methods are a 404."""
    address = Address(request.host, view.world.repository)
    if request.method != "GET":
        return not_found()
    if request.path == "/rate_limit":
        return Response(200, rate_limit(request, view.at))
    if request.path == "/search/issues":
        return search_issues(view, request, address)
    names = (f"/repos/{address.slug}", f"/repositories/{address.repository.id}")
    for name in names:
        if request.path == name or request.path.startswith(f"{name}/"):
            tail = request.path[len(name) :]
            call = Call(view, request, address, limits, tail)
            try:
                return _routed(call)
            except Refused as refused:
                return refused.response
    return not_found()


def _routed(call: Call) -> Response:
    for pattern, route in ROUTES.items():
        match = re.fullmatch(pattern, call.tail)
        if match:
            return route(call, *map(int, match.groups()))
    return not_found()


def _repository(call: Call) -> Response:
    return Response(200, repository_json(call.address, call.view.at))


ROUTES: dict[str, Route] = {
    r"": _repository,
    r"/issues": lists.threads,
    r"/issues/comments": lists.issue_comments,
    r"/issues/events": lists.events,
    r"/issues/(\d+)": threads.thread,
    r"/issues/(\d+)/comments": threads.comments,
    r"/issues/(\d+)/events": threads.events,
    r"/issues/(\d+)/timeline": threads.timeline,
    r"/pulls/comments": lists.review_comments,
    r"/pulls/(\d+)": threads.pull,
    r"/pulls/(\d+)/reviews": threads.reviews,
    r"/pulls/(\d+)/files": threads.files,
}
