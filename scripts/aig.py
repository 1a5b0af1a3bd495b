# SPDX-License-Identifier: Apache-2.0
"""Networks of AND gates and inverters in memory: a netlist that Yosys wrote as BLIF (after aigmap),
evaluated as often as wanted with constants or other values at some of its nets, and written as
AIGER for ABC. A literal is twice a node's number, plus 1 where it is inverted; node 0 is false."""

import collections
import heapq


class NetlistError(Exception):
    """What is not understood must not become a proof."""


class Aig:
    """Nodes with structural hashing: equal literals are equal functions (not the other way)."""

    def __init__(self):
        self.left, self.right = [0], [0]  # of AND nodes; a source (an input) has -1
        self.known = {}

    def source(self):
        self.left.append(-1)
        self.right.append(-1)
        return 2 * len(self.left) - 2

    def and_(self, a, b):
        if a > b:
            a, b = b, a
        if a == 0 or a == b ^ 1:
            return 0
        if a == 1 or a == b:
            return b
        key = (a, b)
        n = self.known.get(key)
        if n is None:
            n = self.known[key] = 2 * len(self.left)
            self.left.append(a)
            self.right.append(b)
        return n

    def or_(self, a, b):
        return self.and_(a ^ 1, b ^ 1) ^ 1

    def xor(self, a, b):
        return self.or_(self.and_(a, b ^ 1), self.and_(a ^ 1, b))

    def mux(self, c, a, b):
        """c ? a : b"""
        return self.or_(self.and_(c, a), self.and_(c ^ 1, b))

    def any(self, literals):
        out = 0
        for x in literals:
            out = self.or_(out, x)
        return out

    def cone(self, literals):
        """Nodes that these depend on, sources too, in an order in which operands come first."""
        seen, todo = set(), [x >> 1 for x in literals]
        while todo:
            n = todo.pop()
            if n in seen:
                continue
            seen.add(n)
            if self.left[n] >= 0:
                todo.append(self.left[n] >> 1)
                todo.append(self.right[n] >> 1)
        seen.discard(0)
        return sorted(seen)

    def sources(self, literals):
        return [n for n in self.cone(literals) if self.left[n] < 0]


def write_aiger(path, aig, outputs, latches):
    """AIGER of `outputs`; latches: {source literal: its next value}, all of which start at 0."""
    nodes = aig.cone([*outputs, *latches.values()])
    number = {0: 0}
    inputs = [n for n in nodes if aig.left[n] < 0 and 2 * n not in latches]
    gates = [n for n in nodes if aig.left[n] >= 0]
    for n in [*inputs, *(x >> 1 for x in latches), *gates]:
        number[n] = len(number)

    def lit(x):
        return 2 * number[x >> 1] + (x & 1)

    def delta(x):
        out = bytearray()
        while x > 127:
            out.append(x & 127 | 128)
            x >>= 7
        out.append(x)
        return out

    head = [len(number) - 1, len(inputs), len(latches), len(outputs), len(gates)]
    text = "aig " + " ".join(map(str, head)) + "\n"
    text += "".join(f"{lit(d)}\n" for d in latches.values())
    text += "".join(f"{lit(x)}\n" for x in outputs)
    body = bytearray()
    for n in gates:
        me = 2 * number[n]
        a, b = sorted((lit(aig.left[n]), lit(aig.right[n])), reverse=True)
        body += delta(me - a) + delta(a - b)
    with open(path, "wb") as f:
        f.write(text.encode() + body)
    return {"latches": len(latches), "gates": len(gates)}


AND, NOT, WIRE = 0, 1, 2
TABLES = {("11 1",): AND, ("0 1",): NOT, ("1 1",): WIRE}


class Netlist:
    """A BLIF of one model: inputs, outputs, latches (input, output), and gates in an order in which
    operands come first. Nets are numbers; free: nets that nothing drives."""

    def __init__(self, path, free=()):
        self.id, self.name = {}, []
        self.inputs, self.outputs, self.latches, clocks = [], [], [], set()
        gates, constants = {}, {}
        with open(path, encoding="latin-1") as f:
            lines = f.read().replace("\\\n", "").split("\n")
        i, ended, models = 0, False, 0
        while i < len(lines):
            words = lines[i].split()
            i += 1
            if not words or words[0].startswith("#"):
                continue
            if ended:
                raise NetlistError(f"{path}:{i}: text behind .end")
            if words[0] == ".model":
                models += 1
            elif words[0] == ".inputs":
                self.inputs += [self.net(w) for w in words[1:]]
            elif words[0] == ".outputs":
                self.outputs += [self.net(w) for w in words[1:]]
            elif words[0] == ".latch":
                if len(words) != 6 or words[3] != "re" or words[5] not in ("2", "3"):
                    raise NetlistError(f"{path}:{i}: {' '.join(words)}")
                self.latches.append((self.net(words[1]), self.net(words[2])))
                clocks.add(words[4])
            elif words[0] == ".names":
                table = []
                while i < len(lines) and lines[i] and lines[i][0] in "01-":
                    table.append(lines[i].strip())
                    i += 1
                out, operands = self.net(words[-1]), [self.net(w) for w in words[1:-1]]
                kind = TABLES.get(tuple(table))
                if words[-1] == "$undef":
                    continue  # an undriven net, if something reads it
                if out in gates or out in constants:
                    raise NetlistError(f"{path}:{i}: {words[-1]} has two drivers")
                if not operands and table in ([], ["1"]):
                    constants[out] = len(table)
                elif kind is not None and len(operands) == (2 if kind == AND else 1):
                    gates[out] = (kind, *operands)
                else:
                    raise NetlistError(f"{path}:{i}: a table that is no gate: {table}")
            elif words[0] == ".end":
                ended = True
            else:
                raise NetlistError(f"{path}:{i}: {' '.join(words)[:80]}")
        if not ended or models != 1:
            raise NetlistError(f"{path}: not one whole model")
        if len(clocks) > 1:
            raise NetlistError(f"{path}: clocks {', '.join(sorted(clocks))}")
        self.constants = constants
        self.sort(path, gates, free)

    def net(self, name):
        n = self.id.get(name)
        if n is None:
            n = self.id[name] = len(self.name)
            self.name.append(name)
        return n

    def sort(self, path, gates, free):
        """Gates that an output or a register depends on, in order; every net that they read has a
        driver, is an input or one of `free` (a function of names)."""
        ready = {*self.inputs, *self.constants, *(q for _, q in self.latches)}
        if len(ready) != len(self.inputs) + len(self.constants) + len(self.latches):
            raise NetlistError(f"{path}: a net with two drivers")
        if ready & set(gates):
            raise NetlistError(f"{path}: a gate drives an input, a register or a constant")
        used, todo = set(), [*self.outputs, *(d for d, _ in self.latches)]
        while todo:
            n = todo.pop()
            if n not in used:
                used.add(n)
                todo += gates.get(n, ())[1:]
        gates = {n: g for n, g in gates.items() if n in used}
        self.free = []
        for n in sorted(used - ready - set(gates)):
            if not free(self.name[n]):
                raise NetlistError(f"{path}: nothing drives {self.name[n]}")
            self.free.append(n)
        ready |= set(self.free)
        self.readers = collections.defaultdict(list)
        waits = {}
        for out, g in gates.items():
            open_ = {x for x in g[1:] if x not in ready}
            for x in open_:
                self.readers[x].append(out)
            waits[out] = len(open_)
        todo = collections.deque(out for out, n in waits.items() if n == 0)
        self.gates = []
        while todo:
            out = todo.popleft()
            self.gates.append((out, *gates[out]))
            for r in self.readers[out]:
                waits[r] -= 1
                if waits[r] == 0:
                    todo.append(r)
        if len(self.gates) != len(gates):
            raise NetlistError(f"{path}: gates in a loop")
        self.readers = collections.defaultdict(list)
        for at, g in enumerate(self.gates):
            for x in g[2:]:
                self.readers[x].append(at)

    def evaluate(self, aig, values):
        """A literal for each net; values: of inputs, registers and free nets."""
        out = [None] * len(self.name)
        for n, x in values.items():
            out[n] = x
        for n, x in self.constants.items():
            out[n] = x
        for g in self.gates:
            out[g[0]] = self.gate(aig, g, out)
        return out

    @staticmethod
    def gate(aig, g, values):
        if g[1] == AND:
            return aig.and_(values[g[2]], values[g[3]])
        return values[g[2]] ^ (g[1] == NOT)

    def change(self, aig, values, changes):
        """Of values, those that other values at some nets change: {net: literal}."""
        got = {n: x for n, x in changes.items() if values[n] != x}
        todo = {at for n in got for at in self.readers[n]}
        marked = sorted(todo)
        heap = marked
        while heap:
            at = heapq.heappop(heap)
            g = self.gates[at]
            a = got.get(g[2], values[g[2]])
            if g[1] == AND:
                x = aig.and_(a, got.get(g[3], values[g[3]]))
            else:
                x = a ^ (g[1] == NOT)
            if x != values[g[0]]:
                got[g[0]] = x
                for r in self.readers[g[0]]:
                    if r not in todo:
                        todo.add(r)
                        heapq.heappush(heap, r)
        return got
