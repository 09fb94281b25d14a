"""The outbound service from Python, with the standard library alone. Made from its OpenAPI document: don't edit.

    from outbound import Outbound, Refused
    client = Outbound("http://localhost:8080", api_key)
    answer = client.verify_email(email="valid@magic.test")
    print(answer.result["status"], answer.svc["credits_charged"])
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass
from typing import Any, Literal


class Unset:
    """An argument that is not sent. None is sent as null, which means something in some places."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset()


@dataclass(frozen=True)
class Answer:
    """What was asked for, and what it cost."""

    result: Any
    svc: dict[str, Any]


class Refused(Exception):
    """The service refused the call. `code` is of the contract; `details` say more."""

    def __init__(self, status: int, error: dict[str, Any]) -> None:
        super().__init__(f"{error.get('code')}: {error.get('message')}")
        self.status = status
        self.code: str = error.get("code", "internal")
        self.message: str = error.get("message", "")
        self.details: dict[str, Any] = error.get("details") or {}
        self.request_id: str | None = error.get("request_id")

    @property
    def is_retryable(self) -> bool:
        return self.code in ("rate_limited", "provider_unavailable", "internal")


class NoAnswer(Exception):
    """Nobody knows what became of the call. The same `idempotency_key` asks again without a second charge."""

    def __init__(self, cause: BaseException | str, idempotency_key: str | None) -> None:
        super().__init__(str(cause))
        self.idempotency_key = idempotency_key


class _Redirects(urllib.request.HTTPRedirectHandler):
    """A key is not carried to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _Client:
    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 300,
        retries_max: int = 4,
        retry_after_seconds_max: float = 30,
    ) -> None:
        self._url = (url or os.environ["OUTBOUND_URL"]).rstrip("/")
        self._key = api_key or os.environ["OUTBOUND_API_KEY"]
        self._timeout = timeout
        self._retries_max = retries_max
        self._retry_after_max = retry_after_seconds_max
        self._opener = urllib.request.build_opener(_Redirects)

    def _once(self, request: urllib.request.Request, key: str | None) -> Answer:
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                status, body = response.status, response.read()
        except urllib.error.HTTPError as error:
            status, body = error.code, error.read()
        except (OSError, socket.timeout) as error:
            raise NoAnswer(error, key) from error
        try:
            given = json.loads(body)
        except ValueError as error:
            raise NoAnswer(f"what answered is not the service (status {status})", key) from error
        if isinstance(given, dict) and isinstance(given.get("error"), dict):
            raise Refused(status, given["error"])
        if not isinstance(given, dict) or "svc" not in given:
            raise NoAnswer(f"what answered is not the service (status {status})", key)
        return Answer(given.get("result", {k: v for k, v in given.items() if k != "svc"}), given["svc"])

    def _call(
        self,
        method: str,
        path: str,
        given: dict[str, Any],
        in_path: tuple[str, ...],
        key: str | None,
        run: str | None,
        takes_key: bool,
    ) -> Answer:
        sent = {name: value for name, value in given.items() if not isinstance(value, Unset)}
        for name in in_path:
            path = path.replace("{" + name + "}", urllib.parse.quote(str(sent.pop(name)), safe=""))
        # One key for all attempts, so that they are one call.
        if key is None and takes_key and sent.get("dry_run") is not True:
            key = str(uuid.uuid4())
        headers = {"authorization": f"Bearer {self._key}", "accept": "application/json"}
        if key is not None:
            headers["idempotency-key"] = key
        if run is not None:
            headers["svc-run-id"] = run
        data = None
        if method == "GET":
            query = [(k, str(v).lower() if isinstance(v, bool) else str(v)) for k, v in sent.items()]
            path += "?" + urllib.parse.urlencode(query) if query else ""
        else:
            headers["content-type"] = "application/json"
            data = json.dumps(sent, allow_nan=False).encode()
        for attempt in range(self._retries_max + 1):
            request = urllib.request.Request(self._url + path, data, headers, method=method)
            wait = 0.25 * 2**attempt * random.uniform(0.8, 1.2)
            try:
                return self._once(request, key)
            except Refused as refused:
                asked = float(refused.details.get("retry_after_seconds") or 0)
                if not refused.is_retryable or attempt == self._retries_max or asked > self._retry_after_max:
                    raise
                wait = max(wait, asked)
            except NoAnswer:
                if attempt == self._retries_max:
                    raise
            time.sleep(wait)
        raise AssertionError("unreachable")


class _AsyncClient:
    """The same for asyncio. Each call runs in a thread of the loop's pool."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._plain = _Client(*args, **options)

    async def _call(self, *args: Any) -> Answer:
        return await asyncio.to_thread(self._plain._call, *args)


# <verbs>
