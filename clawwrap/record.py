"""Frozen values without the price of the standard library's.

`dataclasses` and `typing` take longer to load than many tools take to run. A type checker sees
them; at run time these do the same for the part of them that is used here, which a test compares.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
    from typing import Generic as Generic
    from typing import NamedTuple as NamedTuple
    from typing import TypeVar as TypeVar
else:
    from _operator import itemgetter  # what `operator` would load

    _ABSENT = object()

    class _Factory:
        def __init__(self, make):
            self.make = make

    def field(*, default_factory):
        """A default that is made anew for each value."""
        return _Factory(default_factory)

    def dataclass(*, frozen):
        """Give a class the frozen fields that its annotations name."""
        assert frozen
        return _with_fields

    def _with_fields(cls):
        names = tuple(cls.__annotations__)
        defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
        checks = getattr(cls, "__post_init__", None)

        def __init__(self, *values, **named):
            given = _given(cls.__qualname__, names, values, named)
            fields = self.__dict__
            for name in names:
                value = given.get(name, _ABSENT)
                if value is _ABSENT:
                    value = defaults.get(name, _ABSENT)
                    if value is _ABSENT:
                        raise TypeError(f"{cls.__qualname__} needs {name}")
                    if type(value) is _Factory:
                        value = value.make()
                fields[name] = value
            if checks:
                checks(self)

        def __eq__(self, other):
            return self.__dict__ == other.__dict__ if type(other) is cls else NotImplemented

        def __hash__(self):
            return hash(tuple(self.__dict__.values()))

        def __repr__(self):
            shown = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
            return f"{cls.__qualname__}({shown})"

        def __setattr__(self, name, value=None):
            raise AttributeError(f"{cls.__qualname__} is frozen: {name}")

        for method in (__init__, __eq__, __hash__, __repr__, __setattr__):
            setattr(cls, method.__name__, method)
        cls.__delattr__ = __setattr__
        cls.__match_args__ = names
        return cls

    def replace(whole, **changes):
        """The same value with other fields, checked again."""
        return type(whole)(**{**whole.__dict__, **changes})

    class Generic:
        """A parameter that only a type checker looks at."""

        def __class_getitem__(cls, _parameter):
            return cls

    def TypeVar(name):
        return name

    class _TupleMaker(type):
        def __new__(meta, name, bases, space):
            if bases == ():
                return super().__new__(meta, name, bases, space)
            names = tuple(space.get("__annotations__", ()))
            defaults = {each: space.pop(each) for each in names if each in space}
            for at, each in enumerate(names):
                space[each] = property(itemgetter(at))
            space |= {
                "__slots__": (),
                "__new__": _maker(name, names, defaults),
                "__repr__": _shown,
                "__match_args__": names,
                "_fields": names,
                "_replace": _replaced,
                "_asdict": _as_dict,
            }
            return type(name, (tuple,), space)

    class NamedTuple(metaclass=_TupleMaker):
        """A tuple whose places have the names of its annotations."""

    def _maker(name, names, defaults):
        def __new__(cls, *values, **named):
            if len(values) == len(names) and not named:
                return tuple.__new__(cls, values)
            given = defaults | _given(name, names, values, named)
            try:
                return tuple.__new__(cls, [given[each] for each in names])
            except KeyError as error:
                raise TypeError(f"{name} needs {error.args[0]}") from None

        return __new__

    def _replaced(self, /, **changes):
        return type(self)(**(self._asdict() | changes))

    def _as_dict(self):
        return dict(zip(self._fields, self, strict=True))

    def _shown(self):
        shown = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
        return f"{type(self).__name__}({shown})"

    def _given(owner, names, values, named):
        """The arguments of a call by name; what does not fit is refused as a function would."""
        if len(values) > len(names):
            raise TypeError(f"{owner} takes {len(names)} values, got {len(values)}")
        given = dict(zip(names, values, strict=False))
        for name in named:
            if name in given or name not in names:
                raise TypeError(f"{owner} got {name} twice or has no such field")
        return given | named
