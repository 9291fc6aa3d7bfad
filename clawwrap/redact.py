"""Takes secrets out of what is shown or kept, and says in their place what kind they were.

What a secret looks like is in `mappings/secrets.yaml` and in adapters. Most texts hold none,
and most of those are told by words that they do not contain: nothing heavy is loaded for them.
"""

from __future__ import annotations

import os

from clawwrap import alarm, catalog, secrecy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, TypeVar

    from clawwrap.contract import Failure, Meta, Outcome

    T = TypeVar("T", Failure, Outcome[Any])

    Plan = dict[str, Any]
    #: Where a secret lies, how much its rule has to say beside others, and its kind.
    Span = tuple[int, int, int, str]
    #: Texts that hold a secret, each with where in it the secret starts, and its kind.
    Known = dict[bytes, tuple[int, str]]

OPEN, CLOSE = b"[redacted:", b"]"
#: No token is short enough to pass for the kind in a mark.
LONGEST_MARK = 40
LINE = ["bash", "-o", "pipefail", "-c"]
#: From this size on it pays to load RE2 in order to see which words a text contains.
LONG = 2048
#: A private key has no more lines than this; whatever comes later is no part of it.
MOST_KEY_LINES = 500

#: The parts of a failure that may hold what a tool or its caller has said.
OF_A_FAILURE = ("message", "detail", "output", "suggestion", "target", "extra")
#: A line that is longer than this is shown in parts.
MOST_HELD = 1 << 16


class Redactor:
    """Knows the secrets of one run: those of its flags and variables, and those of any tool."""

    def __init__(
        self,
        policy: str = "errors",
        words: Sequence[str] = (),
        plans: Sequence[Plan] = (),
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self.policy = policy
        self.words = words
        self.plans = plans
        self.environ = environ
        self._names: dict[str, tuple[str, str]] = {}
        self._known: Known | None = None

    def text(self, text: str) -> str:
        """The text with [redacted:KIND] in place of every secret."""
        return self._text(text, self._known_values())

    def value(self, value: Any, name: str = "") -> Any:
        """The same for every text inside; what a key says of its value counts."""
        if self.policy == "none":
            return value
        if isinstance(value, str):
            return self._under(name, value) if name else self.text(value)
        if isinstance(value, dict):
            changed = {key: self.value(item, str(key)) for key, item in value.items()}
            return changed if any(changed[key] is not value[key] for key in value) else value
        if isinstance(value, (list, tuple)):
            items = [self.value(item, name) for item in value]
            same = all(new is old for new, old in zip(items, value, strict=True))
            return value if same else type(value)(items)
        return value

    def argv(self, words: Sequence[str]) -> list[str]:
        """Word by word: the values of secret flags, then whatever else looks like a secret."""
        shown = list(words)
        if self.policy == "none" or not shown or self._are_silent(shown):
            return shown
        if shown[:4] == LINE:
            return [self.line(word) if at > 3 else word for at, word in enumerate(shown)]
        for at, start, kind in self._secret_flags(shown):
            shown[at] = shown[at][:start] + _marker(kind).decode()
        known = self._known_values()
        if self._suspects("\n".join(shown).encode("utf-8", "surrogatepass"), known):
            shown = [self._text(word, known) for word in shown]
        return shown

    def outcome(self, outcome: Outcome[Any]) -> Outcome[Any]:
        """Error, warnings and meta without secrets, and data too where the policy is `all`."""
        if self.policy == "none" or (self.policy == "errors" and self._is_silent(outcome)):
            return outcome
        changes: Plan = {
            "meta": self._meta(outcome.meta),
            "failure": self._failure(outcome.failure) if outcome.failure else None,
            "warnings": self.value(outcome.warnings),
        }
        if self.policy == "all":
            changes["data"] = self.value(outcome.data)
        return _replaced(outcome, changes)

    def _is_silent(self, outcome: Outcome[Any]) -> bool:
        """Whether nothing but data can hold a secret, which is told cheaply."""
        failure, meta = outcome.failure, outcome.meta
        told: list[Any] = [outcome.warnings, meta.command, meta.cwd, meta.suggestion, meta.extra]
        told += [meta.argv, *self.words]
        if failure:
            told += [getattr(failure, name) for name in OF_A_FAILURE]
            told.append(failure.redirect and failure.redirect.command)
        return self._are_silent(list(_texts(told)))

    def _are_silent(self, texts: list[str]) -> bool:
        flags = [word for text in (*texts, *self.words) if "-" in text for word in text.split()]
        return alarm.is_silent(texts, flags, self.plans, self.environ)

    def stream(self) -> LineRedactor:
        return LineRedactor(self)

    # The parts of an outcome

    def _failure(self, failure: Failure) -> Failure:
        changes = {name: self.value(getattr(failure, name)) for name in OF_A_FAILURE}
        if failure.redirect:
            command = self.line(failure.redirect.command)
            if command != failure.redirect.command:
                changes["redirect"] = failure.redirect._replace(command=command)
        return _replaced(failure, changes)

    def _meta(self, meta: Meta) -> Meta:
        changes = {name: self.value(getattr(meta, name)) for name in ("cwd", "suggestion", "extra")}
        changes["command"] = self.line(meta.command)
        changes["argv"] = tuple(self.argv(meta.argv))
        changes = {key: new for key, new in changes.items() if new != getattr(meta, key)}
        return meta._replace(**changes) if changes else meta

    def line(self, line: str) -> str:
        """A command line as text; short values of its flags are looked for in this line alone."""
        if self.policy == "none":
            return line
        return self._text(line, self._known_values() | self._values_of_line(line))

    # What this run is known to be secret

    def _known_values(self) -> Known:
        """The values of secret flags and variables that are worth looking for."""
        if self._known is None:
            words = list(self.words)
            is_line = words[:4] == LINE
            found = self._values_of_line(words[-1]) if is_line else self._values_of_words(words)
            self._known = self._secret_variables()
            for text, (start, kind) in found.items():
                if secrecy.is_telling(text[start:]):
                    self._known[text] = start, kind
        return self._known

    def _secret_variables(self) -> Known:
        found = {}
        for name, value in self.environ.items():
            if len(value) < 8 or not name.isidentifier() or self._meaning(name)[0] != "strong":
                continue
            if not self._is_placeholder(value) and not secrecy.is_path(value):
                found[value.encode("utf-8", "surrogatepass")] = (0, f"env:{name}")
        return found

    def _values_of_words(self, words: list[str]) -> Known:
        found = {}
        for at, start, kind in self._secret_flags(words):
            word = words[at].encode("utf-8", "surrogatepass")
            skip = len(words[at][:start].encode("utf-8", "surrogatepass"))
            if word[skip:]:
                found[word] = (skip, kind)
                if secrecy.is_telling(word[skip:]):
                    found[word[skip:]] = (0, kind)
        return found

    def _values_of_line(self, line: str) -> Known:
        if "-" not in line:
            return {}
        from clawwrap.shell_line import split_line

        commands = [command for command in split_line(line) if command]
        return {k: v for command in commands for k, v in self._values_of_words(command).items()}

    def _secret_flags(self, words: list[str]) -> Iterator[tuple[int, int, str]]:
        """Which word holds the value of a secret flag, where in it, and its kind."""
        names = [catalog.tool_name(word) for word in words]
        named = [plan for plan in self.plans if plan["tool"] in names]  # one command of a line
        flags = [flag for plan in named or self.plans for flag in secrecy.flags_for(plan, words)]
        generic = catalog.mapping("secrets")["flags"]
        for at, word in enumerate(words):
            if not word.startswith("-"):
                continue
            name = word.partition("=")[0]
            own = [flag for flag in flags if word.startswith(flag["flag"])]
            if name in generic or (word.startswith("--") and self._is_secret_flag(name)):
                own.append({"flag": name, "glued": False, "after": ""})
            for flag in own:
                place = secrecy.value_of(flag, words, at)
                if place:
                    yield (*place, f"flag:{flag['flag']}")
                    break

    def _is_secret_flag(self, name: str) -> bool:
        first = name.lstrip("-").partition("-")[0]
        switches = catalog.mapping("secrets")["names"]["switches"]
        return first not in switches and self._meaning(name)[0] == "strong"

    # Finding

    def _text(self, text: str, known: Known) -> str:
        if self.policy == "none" or not text:
            return text
        raw = before = text.encode("utf-8", "surrogatepass")
        for _ in range(3):  # what was hidden may have stood between a name and its value
            cleaned = b"".join(
                part if is_marker else self._clean(part, known) for part, is_marker in _parts(raw)
            )
            if cleaned == raw:
                break
            raw = cleaned
        return text if raw == before else raw.decode("utf-8", "surrogatepass")

    def _clean(self, raw: bytes, known: Known) -> bytes:
        spans = [span for search in self._suspects(raw, known) for span in search]
        cleaned, at = [], 0
        for start, end, _, kind in _merged(spans):
            cleaned += [raw[at:start], _marker(kind)]
            at = end
        return b"".join([*cleaned, raw[at:]])

    def _suspects(self, raw: bytes, known: Known) -> list[Iterator[Span]]:
        """The searches that could find something; none of them has loaded anything yet."""
        values = {text: where for text, where in known.items() if text in raw}
        found = [_find_known(raw, values)] if values else []
        table = catalog.mapping("secrets")
        own = [rule for plan in self.plans for rule in plan.get("secrets", [])]
        words = [word for rule in own for word in rule["words"]]
        there = _present(raw.lower(), (*words, *table["words"]))
        has_long_words = any(len(word) >= secrecy.LEAST_RANDOM for word in raw.split())
        for rank, rule in enumerate(own + table["rules"]):
            if there.isdisjoint(rule["words"]) or rule["also"] not in there:
                continue
            if rule["check"] == "random" and not has_long_words:
                continue
            found.append(self._find(raw, rule, rank))
        return found

    def _find(self, raw: bytes, rule: Plan, rank: int) -> Iterator[Span]:
        from clawwrap import patterns

        expression, at = patterns.expression(patterns.REGEX, rule["pattern"]), 0
        while match := expression.search(raw, at):
            start, end = match.span(rule["secret"])
            places = [(start, end)]
            if rule["each"]:
                each = patterns.expression(patterns.REGEX, rule["each"])
                places = [part.span(1) for part in each.finditer(raw, start, end)]
            name = match.group(rule["name"]).decode() if rule["name"] else ""
            at = match.end()
            for first, last in places:
                value = raw[first:last].decode("utf-8", "replace")
                if any(word in match.group() for word in rule["unless"]):
                    continue
                if kind := self._kind(rule, name, value):
                    yield first, last, rank, kind
                elif name and len(value) < 200:
                    at = start  # what is no secret may be the name of one: `auth: token=…`

    # Judging a value

    def _kind(self, rule: Plan, name: str, value: str) -> str:
        """The kind of secret that the value is; empty where it is none."""
        if self._is_placeholder(value):
            return ""
        kind, check, strength = rule["kind"], rule["check"], ""
        if rule["name"]:
            strength, meant = self._meaning(name)
            if strength == "never" or not (strength or rule["any_name"]):
                return ""
            if secrecy.is_path(value) or secrecy.repeats(name, value):
                return ""
            kind = meant or kind
            if strength != "strong":
                check = "random" if rule["any_name"] else "weak"
        is_nameless = rule["any_name"] and not strength
        if kind in secrecy.OFTEN_PUBLIC and secrecy.is_public(value, is_id=is_nameless):
            return ""
        states = catalog.mapping("secrets")["states"]
        return kind if secrecy.passes(check, value, states) else ""

    def _under(self, name: str, value: str) -> str:
        """The text that stands under this key: a secret as a whole, or one that holds some."""
        rule = {"kind": "", "check": "", "name": True, "any_name": False}
        if kind := value and self._kind(rule, name, value):
            return _marker(kind).decode()
        head = f"{name}: "  # so that headers and cookies are known for what they are
        shown = self.text(head + value)
        if not shown.startswith(head):
            return self.text(value)
        return value if shown == head + value else shown.removeprefix(head)

    def _meaning(self, name: str) -> tuple[str, str]:
        """What a name says of its value: strong, weak, never or nothing; and the kind."""
        if name not in self._names:
            self._names[name] = secrecy.meaning(name, catalog.mapping("secrets")["names"])
        return self._names[name]

    def _is_placeholder(self, value: str) -> bool:
        table = catalog.mapping("secrets")
        if value.startswith(tuple(table["references"])):
            return True
        return secrecy.is_placeholder(value, table["placeholders"], table["names"])


class LineRedactor:
    """Live output, line by line: what is not whole yet is held back."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._held = ""
        self._key_lines = 0  # how many lines of a private key may still follow

    def feed(self, text: str) -> str:
        """What may be shown now."""
        if self._redactor.policy == "none":
            return text
        text = self._held + text
        end = max(text.rfind("\n"), text.rfind("\r")) + 1  # progress bars end in \r
        if len(text) - end > MOST_HELD:  # a name and its value stay together, where they can
            end = max((text.rfind(mark, end) + 1 for mark in ",;&}"), default=0) or len(text)
        ready, self._held = text[:end], text[end:]
        return self._shown(ready)

    def flush(self) -> str:
        """What was held back."""
        rest, self._held = self._held, ""
        return self._shown(rest)

    def _shown(self, text: str) -> str:
        shown = []
        for line in text.splitlines(keepends=True):
            if self._key_lines and "-----END" not in line:
                self._key_lines -= 1
                continue
            self._key_lines = 0
            shown.append(line)
            if "-----BEGIN" in line and line.rstrip().endswith("PRIVATE KEY-----"):
                shown.append(_marker("private-key").decode() + "\n")
                self._key_lines = MOST_KEY_LINES
        return self._redactor.text("".join(shown))


# Texts with marks in them


def _texts(value: Any) -> Iterator[str]:
    """Every text inside, the names of fields included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield str(name)  # which may say that a secret follows
            yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)


def _marker(kind: str) -> bytes:
    return OPEN + kind.encode() + CLOSE


def _parts(raw: bytes) -> Iterator[tuple[bytes, bool]]:
    """The text between marks that are there already, and the marks."""
    at = 0
    while (start := raw.find(OPEN, at)) >= 0:
        end = raw.find(CLOSE, start, start + LONGEST_MARK) + 1
        if not end:
            break
        yield raw[at:start], False
        yield raw[start:end], True
        at = end
    yield raw[at:], False


def _present(lowered: bytes, words: tuple[bytes, ...]) -> set[bytes]:
    """Which of the words are in a text; a long one is read once for all of them."""
    if len(lowered) < LONG:
        return {b"", *(word for word in words if word in lowered)}
    return {b"", *(words[index] for index in _finder(words).Match(lowered) or ())}


_finders: dict[tuple[bytes, ...], Any] = {}


def _finder(words: tuple[bytes, ...]) -> Any:
    if words not in _finders:
        _finders[words] = _new_finder(words)
    return _finders[words]


def _new_finder(words: tuple[bytes, ...]) -> Any:
    import re2

    finder = re2.Set.SearchSet()
    for word in words:
        finder.Add(re2.escape(word))
    finder.Compile()
    return finder


def _find_known(raw: bytes, known: Known) -> Iterator[Span]:
    for text, (skip, kind) in known.items():
        at = raw.find(text)
        while at >= 0:
            end = at + len(text)
            whole = not raw[at - 1 : at].isalnum() and not raw[end : end + 1].isalnum()
            if whole or (len(text) > 7 and not text.isalpha()):
                yield at + skip, end, -1, kind
            at = raw.find(text, end)


def _merged(spans: list[Span]) -> list[Span]:
    """Finds that overlap become one, under the kind that the first rule gave."""
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span[0] < merged[-1][1]:
            last = merged[-1]
            rank, kind = min(last[2:], span[2:])
            merged[-1] = (last[0], max(last[1], span[1]), rank, kind)
        else:
            merged.append(span)
    return merged


def _replaced(whole: T, changes: Plan) -> T:
    """A frozen dataclass with what changed, or itself where nothing did."""
    changes = {name: new for name, new in changes.items() if new is not getattr(whole, name)}
    if not changes:
        return whole
    from clawwrap.record import replace

    return replace(whole, **changes)
