#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what follows from the table of parameters, rtl/params.txt: parameter lists, pass-through
and legal ranges of gmmu_top and gmmu_axi, the harnesses' lists, the keys of the C model, tables of
the documentation.

usage: params.py [--check] --check: writes nothing; exits with 1 and names the files that are stale
"""

import collections
import os
import re
import sys
import textwrap

from generated import ROOT, between, finish, head, read

SOURCE = "rtl/params.txt"
PRESETS = "sim/presets"
SCOPES = {
    "gmmu_top": ("core", "top", "build"),
    "gmmu_axi": ("data", "axi", "core"),
    "gmmu_native": ("axi", "core"),
}
KEYS = ("core", "top", "model")
# name, type, scope, top and axi (defaults, None: no parameter), lo, hi (None: no largest value),
# key (largest of a preset), word, text
Param = collections.namedtuple("Param", "name type scope top axi lo hi key word text")
Rule = collections.namedtuple("Rule", "module name holds why")
List = collections.namedtuple("List", "path module defaults")


class Error(Exception):
    pass


def parse_param(cells):
    name, kind, scope, top, axi, span, word, text = cells
    m = re.fullmatch(r"(\d+)\.\.(\d*)(?:/(\d+))?", span)
    if not re.fullmatch(r"[A-Z]\w*", name) or kind not in ("bool", "int") or not text or not m:
        raise Error(
            "expected: Name | bool or int | scope | default | default | LO..HI | word | meaning"
        )
    if scope not in ("data", "axi", "core", "top", "build", "model"):
        raise Error(f"no scope {scope}")
    lo, hi = int(m[1]), int(m[2]) if m[2] else None
    if kind == "bool" and (lo, hi) != (0, 1):
        raise Error(f"{name}: a bool is 0..1")
    has = {
        "gmmu_top": scope in SCOPES["gmmu_top"] or scope == "model",
        "gmmu_axi": scope in SCOPES["gmmu_axi"],
    }
    for module, default in (("gmmu_top", top), ("gmmu_axi", axi)):
        if has[module] != (default != "-"):
            raise Error(f"{name}: scope {scope} and default '{default}' of {module} do not fit")
        if default.isdigit() and not (lo <= int(default) and (hi is None or int(default) <= hi)):
            raise Error(f"{name}: default {default} is outside {span}")
    if word != "-" and not has["gmmu_axi"]:
        raise Error(f"{name}: only parameters of gmmu_axi have a word")
    return Param(
        name,
        kind,
        scope,
        top if has["gmmu_top"] else None,
        axi if has["gmmu_axi"] else None,
        lo,
        hi,
        int(m[3]) if m[3] else hi,
        int(word) if word != "-" else None,
        text,
    )


def parse(lines):
    """(params, rules, lists, options) of the table's lines; an error ends the program with its
    line."""
    params, rules, lists, options = [], [], [], []
    for n, line in enumerate(lines, 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        cells = [c.strip() for c in line.split(" | ")]
        words = cells[0].split()
        try:
            if words[0] == "options" and len(words) > 1 and len(cells) == 1 and not options:
                options = words[1:]
            elif words[0] == "rule" and len(words) == 3 and len(cells) == 3:
                rules.append(Rule(words[1], words[2], cells[1], cells[2]))
            elif words[0] == "list" and len(words) == 3 and len(cells) == 2:
                lists.append(List(words[1], words[2], dict(d.split("=") for d in cells[1].split())))
            elif len(cells) == 8 and len(words) == 1:
                p = parse_param(cells)
                if p.name in (q.name for q in params):
                    raise Error(f"{p.name} stands here twice")
                params.append(p)
            else:
                raise Error("not understood")
        except (Error, ValueError) as e:
            sys.exit(f"params: {SOURCE}:{n}: {e}")
    used = sorted(p.word for p in params if p.word is not None)
    if used != list(range(len(used))):
        sys.exit(f"params: {SOURCE}: words are not 0 to {len(used) - 1}, each once: {used}")
    names = {p.name for p in params}
    if wrong := set(options) - {p.name for p in params if p.scope in ("core", "build")}:
        wrong = ", ".join(sorted(wrong))
        sys.exit(f"params: {SOURCE}: options: no parameter of scope core or build: {wrong}")
    for what in lists:
        if wrong := set(what.defaults) - names:
            sys.exit(f"params: {SOURCE}: {what.path}: no parameter {', '.join(sorted(wrong))}")
    for rule in rules:
        if wrong := set(re.findall(r"[A-Z]\w+", rule.holds)) - names:
            sys.exit(f"params: {SOURCE}: rule {rule.name}: no parameter {', '.join(sorted(wrong))}")
    return params, rules, lists, [p for p in params if p.name in options]


def load():
    with open(os.path.join(ROOT, SOURCE)) as f:
        return parse(f)


def bare(params):
    """{name: "0"} of what only builds for simulation have: synthesis goes without."""
    return {p.name: "0" for p in params if p.scope == "build"}


def of(params, module):
    return [p for p in params if p.scope in SCOPES[module]]


def default(p, module):
    return p.top if module == "gmmu_top" else p.axi


def span(p):
    return f"{p.lo}..{p.hi}" if p.hi is not None else f"{p.lo} or more"


def declare(params, module, other=None):
    """Lines of a parameter list, each ending in a comma; what it means above each."""
    out = ""
    for p in params:
        text = textwrap.wrap(f"{p.text} ({span(p)})", 94)
        out += "".join(f"  // {x}\n" for x in text)
        out += f"  parameter int {p.name} = {(other or {}).get(p.name, default(p, module))},\n"
    return out


def passed(params, last=","):
    """.Name(Name) of each; ends in a comma where more follow in the file that includes it."""
    return "".join(
        x + "\n"
        for x in textwrap.wrap(
            ", ".join(f".{p.name}({p.name})" for p in params) + last,
            94,
            initial_indent="    ",
            subsequent_indent="    ",
            break_on_hyphens=False,
        )
    )


def trap(module, label, name, bad):
    """An instance of a module that does not exist, where `bad` is true; its name says the rule."""
    bad = "\n      ".join(textwrap.wrap(bad, 70))
    return f"  if ({bad}) begin : gen_bad_{label}\n    {module}_{name} u_bad();\n  end\n"


def checks(params, rules, module):
    """Legal ranges, then rules between parameters."""
    out = ""
    for p in of(params, module):
        if module == "gmmu_axi" and p.scope == "core":  # gmmu_top checks it
            continue
        bad, limits = f"{p.name} < {p.lo}", f"at_least_{p.lo}"
        if p.hi is not None:
            bad, limits = f"{bad} || {p.name} > {p.hi}", f"{p.lo}_to_{p.hi}"
        out += trap(module, p.name, f"{p.name}_must_be_{limits}", bad)
    for i, r in enumerate(r for r in rules if r.module == module):
        out += trap(module, f"rule{i}", r.name, f"!({r.holds})")
    return out


def config(params):
    """Keys of presets, for the C preprocessor."""
    out = head("params", SOURCE, "/*", " */") + (
        "/* GMMU_CFG(name, default, min, max, scope, "
        "meaning). Scope RTL: a parameter of gmmu_top "
        "with the same name;\n"
        " * MODEL: front end, memory and driver only. */\n"
    )
    for p in params:
        if p.scope in KEYS:
            text = p.text.replace('"', '\\"')
            out += (
                f'GMMU_CFG({p.name}, {p.top}, {p.lo}, {p.key}, '
                f'{"MODEL" if p.scope == "model" else "RTL"}, "{text}")\n'
            )
    return out


def key_table(params):
    out = "| key | default | range | scope | meaning |\n|---|---|---|---|---|\n"
    for p in params:
        if p.scope in KEYS:
            out += (
                f"| `{p.name}` | {p.top} | {p.lo} to {p.key} | "
                f"{'MODEL' if p.scope == 'model' else 'RTL'} | {p.text} |\n"
            )
    return out


def axi_table(params):
    """Parameters of gmmu_axi that gmmu_top does not have."""
    out = "| parameter | default | range | |\n|---|---|---|---|\n"
    for p in params:
        if p.scope in ("data", "axi"):
            text = p.text + ("" if p.scope == "axi" else " (not in `gmmu_native`)")
            out += f"| {p.name} | {p.axi} | {span(p)} | {text} |\n"
    return out


def default_table(params):
    out = "| parameter | gmmu_axi | gmmu_top |\n|---|---|---|\n"
    for p in params:
        if p.scope == "core":
            out += f"| {p.name} | {p.axi} | {p.top if p.top != p.axi else 'the same'} |\n"
    return out


def preset_table():
    """A row for each file of sim/presets, each below the one it is made of: what the comment above
    its keys says."""
    found = {}
    for name in sorted(os.listdir(os.path.join(ROOT, PRESETS))):
        if name.endswith(".ini"):
            text = read(f"{PRESETS}/{name}")
            about = " ".join(x[1:].strip() for x in text.split("[gmmu]")[0].splitlines())
            base = re.search(r"^base = (\S+)", text, re.M)
            found[name[:-4]] = base[1] if base else None, about

    def below(base):
        for name, (mine, about) in found.items():
            if mine == base:
                yield f"| `{name}` | {f'`{base}`' if base else ''} | {about} |\n"
                yield from below(name)

    return "| preset | base | what it is |\n|---|---|---|\n" + "".join(below(None))


def rule_list(rules):
    return "".join(f"- `{r.module}`: `{r.holds}`: {r.why}\n" for r in rules)


def files(params, rules, lists, options):
    """{path: content} of everything that is written."""
    sv = lambda text: head("params", SOURCE, "//") + text  # noqa: E731
    core = [p for p in params if p.scope == "core"]
    out = {
        "rtl/common/gmmu_core_pass.svh": sv(passed(core)),
        "rtl/common/gmmu_top_pass.svh": sv(
            passed([p for p in of(params, "gmmu_top") if p.scope != "build"])
        ),
        "rtl/common/gmmu_axi_pass.svh": sv(passed(of(params, "gmmu_axi"), last="")),
        "rtl/common/gmmu_mmu_options.svh": sv(declare(options, "gmmu_top")),
        "rtl/common/gmmu_mmu_options_pass.svh": sv(passed(options)),
        "c_model/include/gmmu_config.def": config(params),
    }
    for module in ("gmmu_top", "gmmu_axi"):
        out[f"rtl/common/{module}_params.svh"] = sv(declare(of(params, module), module))
        out[f"rtl/common/{module}_checks.svh"] = sv(checks(params, rules, module))
    for what in lists:
        out[what.path] = sv(declare(of(params, what.module), what.module, what.defaults))
    page = between("docs/parameters.md", read("docs/parameters.md"), "keys", key_table(params))
    page = between("docs/parameters.md", page, "presets", preset_table())
    out["docs/parameters.md"] = between("docs/parameters.md", page, "rules", rule_list(rules))
    page = between("docs/gmmu_axi.md", read("docs/gmmu_axi.md"), "parameters", axi_table(params))
    out["docs/gmmu_axi.md"] = between("docs/gmmu_axi.md", page, "defaults", default_table(params))
    return out


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    return finish("params", files(*load()), sys.argv[1:] == ["--check"])


if __name__ == "__main__":
    sys.exit(main())
