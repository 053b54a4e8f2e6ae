"""Every example in a docstring, of Python's modules and of the extension, gives what it says."""

import doctest
import importlib
import pkgutil

import pytest

import anqi
from anqi import _anqi

NEEDS = {"anqi.gymnasium": "gymnasium", "anqi.pettingzoo": "pettingzoo", "anqi.openspiel": "pyspiel"}
MODULES = [f"anqi.{found.name}" for found in pkgutil.iter_modules(anqi.__path__)]


def run(text, name, names):
    test = doctest.DocTestParser().get_doctest(text, dict(names), name, name, 0)
    told = []
    doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert not told, "".join(told)
    return len(test.examples)


@pytest.mark.parametrize("name", ["anqi", *MODULES])
def test_examples_of_modules(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    if name in ("anqi._anqi", "anqi.__main__"):
        return
    module = importlib.import_module(name)
    for test in doctest.DocTestFinder().find(module, name):
        run(test.docstring, test.name, {**vars(module), "anqi": anqi})


def test_examples_of_the_extension():
    examples = 0
    for name, thing in vars(_anqi).items():
        if not name.startswith("__"):
            examples += run(thing.__doc__ or "", name, {"anqi": anqi})
    assert examples >= 10


def test_everything_public_is_explained():
    for name in anqi.__all__:
        thing = getattr(anqi, name)
        assert isinstance(thing, str) or thing.__doc__, name
        for part, member in vars(thing).items() if isinstance(thing, type) else ():
            if not part.startswith("_") and (callable(member) or hasattr(member, "__get__")):
                assert getattr(member, "__doc__", None), f"{name}.{part}"
