#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/mutate_same_c.py on changes whose verdict is known: what the language itself makes the
same is proved; real bugs are not, nor what is only the same because the compiler may assume that
undefined behaviour never happens; a bug that is not in its file, results of other sources and a
text that does not compile prove nothing."""

import hashlib
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../common"))
from tree import ROOT, Tree  # noqa: E402

sys.path.insert(0, os.path.join(ROOT, "scripts"))
import mutate_same_c as same  # noqa: E402

tree = Tree("mutate_same")
expect = tree.expect

# (what, source, text that goes, what comes)
SAME = (
    ("0 is not below 0", "int f(int a) { return a < 0 ? 0 : a; }", "a < 0", "a <= 0"),
    ("no unsigned is below 0", "int f(unsigned a) { return a > 0; }", "a > 0", "a != 0"),
    ("implied by the other", "int f(int a) { return a > 3 && a > 2; }", "a > 2", "1"),
    (
        "a static function's only argument",
        "static int g(int n) { return n == 1 ? 5 : 6; }\nint f(void) { return g(1); }",
        "n == 1",
        "n >= 1",
    ),
    (
        "what an assertion says",
        "#include <assert.h>\nint f(int a) { assert(a == 1); return a + 2; }",
        "a + 2",
        "3",
    ),
    ("nobody reads it", "int f(int a) { int b = a; b = 3; return a; }", "b = 3;", ";"),
)
OTHER = (
    ("another order", "int f(int a, int b) { return a > b; }", "a > b", "a >= b"),
    ("another constant", "int f(void) { return 17; }", "17", "18"),
    ("only data", "const int *f(void) { static const int a[] = {17}; return a; }", "17", "18"),
    ("only a name", "int g(void); int h(void); int f(void) { return g(); }", "g()", "h()"),
    ("an assertion", "#include <assert.h>\nvoid f(int a) { assert(a > 0); }", "a > 0", "a >= 0"),
    ("a loop without end", "void g(void); void f(int a) { while (a); g(); }", "while (a);", ";"),
)
UNDEFINED = (
    ("overflow", "int f(int a) { return 1; }", "1", "a + 1 > a"),
    ("a shift too far", "int f(int a) { return a << 3; }", "3", "32"),
    ("no value", "int f(void) { int x; x = 0; return x; }", "x = 0;", ";"),
    (
        "no value in memory",
        "#include <stdlib.h>\nint f(int a) { int *p = malloc(4); *p = 0; return a + *p; }",
        "*p = 0;",
        ";",
    ),
    (
        "beyond an array",
        "extern int a[4]; int f(int s) { for (int i = 0; i < 4; i++) s += a[i]; return s; }",
        "i < 4",
        "i <= 4",
    ),
    ("no pointer", "int f(int *p) { int x = *p; if (p) return x; return 1; }", "(p)", "(1)"),
)
# More memory of malloc or calloc than was asked for, and changes that are something else.
LARGER = (
    ("one element more", "void *f(void) { return calloc(1, 8); }", "1", "2"),
    ("one of many", "void *f(unsigned long n) { return calloc(n + 1, 8); }", "1", "2"),
    (
        "the size of an element",
        "void *f(unsigned long n) { int *v = malloc((n + 1) * sizeof *v); return v; }",
        "1",
        "2",
    ),
)
NOT_LARGER = (
    ("less memory", "void *f(void) { return calloc(2, 8); }", "2", "1"),
    ("less of many", "void *f(unsigned n) { return malloc(n * 4ul); }", "n * 4ul", "n * 3ul"),
    (
        "more that may be none: 32 bits",
        "void *f(unsigned n) { return malloc(n + 1); }",
        "1",
        "2",
    ),
    ("more or none: a shift", "void *f(int n) { return calloc(1u << n, 1); }", "1u", "2u"),
    (
        "a size that is kept",
        "unsigned long m; void *f(void) { return calloc(m = 8, 1); }",
        "8",
        "9",
    ),
    ("another function", "void *mallocs(int); void *f(void) { return mallocs(1); }", "1", "2"),
    (
        "a number beside it",
        "int g(int, void *); int f(void) { return g(1, malloc(8)); }",
        "1",
        "2",
    ),
)


def bug(text, old, new):
    at = text.index(old)
    seal = hashlib.sha256(f"{at} {at + len(old)} {new}".encode()).hexdigest()[:6]
    line = text[:at].count("\n") + 1
    return {
        "id": f"x.c:{line}:operator:{seal}",
        "file": "x.c",
        "line": line,
        "operator": "operator",
        "old": old,
        "new": new,
    }


def level(text, old, new):
    return same.Compiler(ROOT).same(text, same.changed(text, bug(text, old, new)))


def fails(what, error, function, *args):
    try:
        function(*args)
    except error:
        expect(what, True)
    else:
        expect(what, False, "no error")


def results(sources, language="c"):
    text = SAME[0]
    bugs = [bug(*text[1:]) | {"verdict": "survived"}]
    tree.write("x.c", text[1])
    tree.write(
        "result.json", json.dumps({"language": language, "sources": sources, "mutants": bugs})
    )
    same.prove(os.path.relpath(tree.path, ROOT))


def main():
    os.chdir(ROOT)
    for what, *change in SAME:
        expect(f"the same: {what}", level(*change) is not None)
    for what, *change in (*OTHER, *UNDEFINED):
        got = level(*change)
        expect(f"not the same: {what}", got is None, got or "")
    for what, text, *change in LARGER:
        text = "#include <stdlib.h>\n" + text
        got = same.Compiler(ROOT).verdict(text, bug(text, *change))
        expect(f"more memory: {what}", got is not None and "larger by" in got, got or "")
        expect(f"more memory is not the same: {what}", level(text, *change) is None)
    for what, text, *change in NOT_LARGER:
        text = "#include <stdlib.h>\n" + text
        got = same.Compiler(ROOT).verdict(text, bug(text, *change))
        expect(f"not only more memory: {what}", got is None, got or "")
    # as the compiler would have it without FLAGS: the texts above are such that it matters
    kept, same.FLAGS, same.WAYS = (same.FLAGS, same.WAYS), ("-std=c11", "-w"), ((),)
    taken = [what for what, *change in UNDEFINED if level(*change) is not None]
    same.FLAGS, same.WAYS = kept
    expect("what only FLAGS and WAYS tell apart", len(taken) >= 3, " ".join(taken))

    text = "int f(int a, int b)\n{ return a +\n b; }\nint g(void) { return a + b; }"
    got = same.changed(text, bug(text, "a +\n b", "a"))
    expect("lines stay where they are", got == text.replace("a +\n b", "(a)\n"), got)
    twice = "int f(int a) { return a + a; }"
    second = {**bug(twice, "a", "1"), "id": "x.c:1:operator:000000"}
    fails("a bug that is not in its file", LookupError, same.changed, twice, second)
    fails(
        "a text that does not compile", same.Refused, level, "int f(int a) { return a; }", "a;", ""
    )
    fails("results of other sources", SystemExit, results, "0")
    fails("results of RTL", SystemExit, results, same.mutate.sources_key(), "rtl")
    return tree.end()


if __name__ == "__main__":
    sys.exit(main())
