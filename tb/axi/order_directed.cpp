// SPDX-License-Identifier: Apache-2.0
// order_directed.cpp - the directed cases of tb/axi/order_bench.cpp (order_directed.h).
#include "order_directed.h"

namespace {
void run(Order &o, int cycles) {
  for (int i = 0; i < cycles && !o.errors; i++) o.step();
}

/// Offers it, and waits until the port has taken it.
OpRef ask(Order &o, uint32_t port, OpRef x) {
  Master &m = o.master[port];
  m.ask(x);
  for (int i = 0; i < 2000 && (m.aw || m.ar); i++) o.step();
  if (m.aw || m.ar) o.fail("a burst is not taken by its port", 1, 0, x->b.va);
  return x;
}

OpRef read(Order &o, uint32_t port, uint32_t asid, uint64_t va, uint32_t id, uint32_t beats = 1) {
  return ask(o, port, op(o, false, asid, va, id, beats));
}

OpRef write(Order &o, uint32_t port, uint32_t asid, uint64_t va, uint32_t id, uint32_t beats = 1) {
  return ask(o, port, op(o, true, asid, va, id, beats));
}

void feed(Order &o, OpRef w) {
  for (int i = 0; i < 2000 && !w->fed(); i++) o.step();
  if (!w->fed()) o.fail("W beats of a write are not taken", w->b.beats(), w->w_sent, w->b.va);
}

void ends(Order &o, OpRef x, const char *what) {
  for (int i = 0; i < 3000 && !x->ended; i++) o.step();
  if (!x->ended) o.fail(what, 1, 0, x->b.va);
}

void waits(Order &o, OpRef x, bool held, const char *what) {
  if (!held) return ends(o, x, what);
  run(o, 1500);
  if (x->ended || x->at_memory) o.fail(what, 0, 1, x->b.va);
}

void finish(Order &o) {
  while (o.dut.irq_o) handle(o);
  drain(o);
}

/// A write that waits for software with all its W beats taken: what its port still reads, and what
/// it does not.
void stalled_write(Order &o, uint32_t port, uint32_t asid) {
  o.what = "a stalled write";
  o.serve = false;
  uint64_t a = o.page_va(port, 0), b = o.page_va(port, 1);
  read(o, port, asid, a, 1);
  read(o, port, asid, b, 1);
  drain(o);
  read_only(o, asid, a);
  run(o, 200);
  OpRef w = write(o, port, asid, a + 64, 2, 4);
  feed(o, w);
  run(o, 300);
  if (w->at_memory || !o.dut.irq_o) o.fail("a write to a read-only page", 0, 1, a);
  // One that wraps, from its middle, and one whose first bytes are not written.
  OpRef wraps = op(o, true, asid, a + 256 + 16, 0, 4), odd = op(o, true, asid, a + 512 + 3, 1);
  wraps->b.kind = 2;
  for (int i = 0; i < 3; i++) odd->b.strb[0][i] = 0;
  feed(o, ask(o, port, wraps));
  feed(o, ask(o, port, odd));
  waits(o, read(o, port, asid, a + 288, 0), false, "a read of the bytes after a WRAP burst");
  waits(o, read(o, port, asid, a + 248, 0), false, "a read of the bytes before a WRAP burst");
  waits(o, read(o, port, asid, a + 520, 1), false, "a read of the bytes after an unaligned write");
  // Its handler, behind the same port: other bytes, other pages, other spaces; the same ID as well.
  waits(o, read(o, port, asid, a + 64 + 32, 2), false, "a read of the bytes after a stalled write");
  waits(o, read(o, port, asid, a + 56, 0), false, "a read of the bytes before a stalled write");
  waits(o, read(o, port, asid, b + 128, 0, 4), false, "a read of another page at another offset");
  OpRef page = nullptr, space = nullptr;
  if (kOrder != 2) {
    waits(o, read(o, port, asid, b + 64, 0, 4), false,
          "a read of another page at the offset of a stalled write");
    if (port == 1)
      waits(o, read(o, port, 3 - asid, a + 64, 0, 4), false,
            "a read of another space at the address of a stalled write");
  } else {
    page = read(o, port, asid, b + 64, 0, 4);
  }
  OpRef r = read(o, port, asid, a + 88, 1), first = read(o, port, asid, a + 64, 2),
        low = read(o, port, asid, a + 256, 3);
  waits(o, r, true, "a read of the last bytes of a stalled write");
  if (low->at_memory) o.fail("a read of the bytes to which a write wraps", 0, 1, a);
  // RwOrder 2: at an offset of no read that waits
  OpRef other = write(o, port, asid, b + (kOrder == 2 ? 512 : 64), 3);
  feed(o, other);
  waits(o, other, kOrder == 2, "a write of another page at the offset of a stalled one");
  if (first->at_memory) o.fail("a read of the first bytes of a stalled write", 0, 1, a);
  if (page && page->at_memory) o.fail("a read at the page offset of a stalled write", 0, 1, b);
  o.serve = true;
  finish(o);
}

/// Its W comes after the R that it waits for: nothing is held.
void late_w(Order &o) {
  o.what = "W after R";
  uint64_t a = o.page_va(0, 2);
  for (uint32_t beats : {1u, 4u, 8u}) {
    OpRef r = op(o, false, 1, a, 0, beats), w = op(o, true, 1, a, 1, beats);
    w->after = r;
    ask(o, 0, w);
    ask(o, 0, r);
    ends(o, r, "a read of bytes whose write owes its W");
    feed(o, w);
    ends(o, read(o, 0, 1, a, 2, beats), "a read after it");
    drain(o);
  }
}

/// A master owes the W of a later write until it has read the bytes of one that waits, or (faulted:
/// 1) what itself is not mapped. The command of the handler's map waits for the first if memory has
/// its AW, and must not be waited for by the second.
void late_w_and_fault(Order &o, bool read_faults) {
  o.what = read_faults ? "W after a faulted R" : "W after a held R";
  uint64_t a = o.page_va(0, 3), b = o.page_va(0, 4);
  read(o, 0, 1, b, 0);
  drain(o);
  unmap(o, 1, a);
  if (!read_faults) feed(o, write(o, 0, 1, a, 0, 2));
  OpRef r = op(o, false, 1, a, 1, 2), y = op(o, true, 1, b, 2, 2);
  y->after = r;
  ask(o, 0, y);
  ask(o, 0, r);
  finish(o);
}

/// Memory takes the W before the AW, or the AW before the W: reads wait for both.
void doors(Order &o, bool pass) {
  o.what = "half a write at memory";
  if (pass) set_ports(o, GMMU_DRV_PASS, false), o.master[0].shadow.clear();
  uint64_t a = pass ? kData + 0x700000 : o.page_va(0, 5);
  read(o, 0, 1, a, 0);
  drain(o);
  StrictMemory &m = o.mem[0];
  m.aw_open = false;
  OpRef w = write(o, 0, 1, a + 256, 0, 2), r;
  feed(o, w);
  r = read(o, 0, 1, a + 264, 1);
  waits(o, read(o, 0, 1, a + 272, 2), false, "a read beside a write whose AW memory does not take");
  waits(o, r, true, "a read of bytes of a write whose AW memory has not taken");
  m.aw_open = true;
  drain(o);
  m.w_open = false; // the second write's beats are kept, its AW is taken
  w = write(o, 0, 1, a + 512, 0, 1);
  OpRef second = write(o, 0, 1, a + 768, 1, 1);
  run(o, 200);
  if (!second->fed() &&
      !w->fed()) { // the first one's W goes straight to memory: the port has none of it
    r = read(o, 0, 1, a + 512, 1);
    waits(o, r, false, "a read of bytes of a write whose W is not taken");
  }
  m.w_open = true;
  drain(o);
  m.ar_open = false; // a write waits for older reads
  r = read(o, 0, 1, a + 1024, 0, 4);
  OpRef other = write(o, 0, 1, a + 1056, 0, 1), same = write(o, 0, 1, a + 1048, 1, 1),
        behind = write(o, 0, 1, a + 1040, 2, 3);
  ends(o, other, "a write beside a read that memory does not take");
  run(o, 1000);
  if (same->at_memory || behind->at_memory)
    o.fail("a write of bytes of a read that memory has not taken", 0, 1, a);
  if (!same->fed() || !behind->fed()) o.fail("W beats of a write that waits for a read", 1, 0, a);
  m.ar_open = true;
  drain(o);
  // Writes of different IDs to the same bytes: the later one stays.
  if (!pass) {
    o.what = "two writes";
    unmap(o, 1, a);
    for (uint32_t i = 0; i < 4; i++) write(o, 0, 1, a + 1280, i, 1);
    finish(o);
    read(o, 0, 1, a + 1280, 0);
    drain(o);
  }
  if (!pass) return;
  set_ports(o, GMMU_DRV_TRANSLATE, false);
  reload(o, o.master[0]);
}

/// Writes that end in the MMU hold nothing for good, and change nothing.
void refused(Order &o) {
  o.what = "error mode";
  uint64_t a = o.page_va(0, 6);
  read(o, 0, 1, a, 0);
  drain(o);
  read_only(o, 1, a);
  o.master[0].on_fed = [&](const Op &x) { return x.b.va >> 12 != a >> 12; };
  o.serve = false;
  for (int late = 0; late < 2; late++) { // error mode before, and while the read waits
    if (!late) set_ports(o, GMMU_DRV_TRANSLATE, true);
    OpRef w = write(o, 0, 1, a + 64, 0, 4);
    feed(o, w);
    OpRef r = read(o, 0, 1, a + 72, 1, 2);
    if (late) {
      waits(o, r, true, "a read of bytes of a stalled write");
      set_ports(o, GMMU_DRV_TRANSLATE, true);
    }
    ends(o, r, "a read of bytes of a write that ends in the MMU");
    ends(o, w, "a write that ends in the MMU");
    if (r->refused || !w->refused)
      o.fail("responses of a read and a write of a read-only page", 1, 0, a);
    set_ports(o, GMMU_DRV_TRANSLATE, false);
    gmmu_drv_fault f;
    while (gmmu_drv_next_fault(&o.drv, &f) > 0) o.asked.check(o, f);
  }
  // A read that ends in the MMU holds no write either: both of an unmapped page end.
  unmap(o, 1, a);
  set_ports(o, GMMU_DRV_TRANSLATE, true);
  OpRef r = read(o, 0, 1, a, 0, 2), w = write(o, 0, 1, a, 1, 2);
  ends(o, r, "a read that ends in the MMU");
  ends(o, w, "a write after a read that ends in the MMU");
  set_ports(o, GMMU_DRV_TRANSLATE, false);
  gmmu_drv_fault f;
  while (gmmu_drv_next_fault(&o.drv, &f) > 0) o.asked.check(o, f);
  o.master[0].on_fed = [](const Op &) { return true; };
  o.serve = true;
}

/// The strobes of all bytes that its address, size and type let it write.
OpRef whole(OpRef x) {
  for (uint32_t i = 0; x->b.write && i < x->b.beats(); i++) {
    const auto [first, end] = x->b.lanes(i);
    for (uint32_t l = 0; l < kBytes; l++) x->b.strb[i][l] = l >= first && l < end;
  }
  return x;
}

OpRef byte_op(Order &o, bool write, uint32_t asid, uint64_t va, uint32_t id) {
  OpRef x = op(o, write, asid, va, id);
  x->b.size = 0;
  return whole(x);
}

/// Reads or writes of single bytes, the first and the last of a range and those beside it, while
/// what is at the range waits: those of numbers `from` to `to`.
void beside(Order &o, bool write, uint64_t low, uint64_t high, bool held, uint32_t from = 0,
            uint32_t to = 3) {
  const uint64_t at[4] = {low - 1, low, high, high + 1};
  OpRef x[4];
  for (uint32_t i = from; i <= to; i++) {
    x[i] = ask(o, 0, byte_op(o, write, 1, at[i], i));
    if (write) feed(o, x[i]);
  }
  run(o, 800);
  for (uint32_t i = from; i <= to; i++)
    if (x[i]->at_memory == (held && (i == 1 || i == 2)))
      o.fail(write ? "a write of a byte at the edge of what waits"
                   : "a read of a byte at the edge of what waits",
             held && (i == 1 || i == 2), x[i]->at_memory, at[i]);
}

/// First and last bytes of INCR, FIXED, WRAP and unaligned bursts.
void edges(Order &o) {
  struct {
    uint32_t kind, beats, size;
    uint64_t at, low, high;
  } const shapes[] = {{1, 4, 3, 1024, 1024, 1055}, {0, 4, 3, 1536, 1536, 1543},
                      {2, 4, 3, 2064, 2048, 2079}, {1, 2, 3, 2563, 2563, 2575},
                      {1, 3, 1, 3074, 3074, 3079}, {0, 3, 0, 3333, 3333, 3333}};
  const uint64_t a = o.page_va(0, 9), b = o.page_va(0, 10);
  for (uint64_t page : {a, b}) read(o, 0, 1, page, 0), write(o, 0, 1, page, 1);
  drain(o);
  for (auto &s : shapes) {
    auto burst = [&](bool write) {
      OpRef x = op(o, write, 1, a + s.at, 4, s.beats); // the bytes have other IDs
      x->b.kind = s.kind, x->b.size = s.size;
      return whole(x);
    };
    o.what = "writes beside a read that memory does not take";
    for (uint64_t page : {a, b}) {
      o.mem[0].ar_open = false;
      ask(o, 0, burst(false));
      beside(o, true, page + s.low, page + s.high, page == a || kOrder == 2);
      o.mem[0].ar_open = true;
      drain(o);
    }
    o.what = "reads and writes beside a write that waits for software";
    for (int later = 0; later < 4; later++) { // reads of its page; reads, writes of another one
      o.serve = false;
      read_only(o, 1, a);
      run(o, 200);
      OpRef w = ask(o, 0, burst(true));
      feed(o, w);
      run(o, 100);
      const uint64_t low = (later ? b : a) + s.low, high = (later ? b : a) + s.high;
      const bool held = !later || kOrder == 2;
      if (later < 2) beside(o, false, low, high, held);
      else beside(o, true, low, high, held, 2 * (later == 3), 1 + 2 * (later == 3)); // of 4 slots
      if (w->at_memory) o.fail("a write to a read-only page", 0, 1, a);
      o.serve = true;
      finish(o);
    }
  }
}

/// Writes of different IDs, each of which shares one byte with the one before it, are ready at
/// once: the later one's byte stays.
void chains(Order &o) {
  o.what = "writes that share a byte";
  const uint64_t a = o.page_va(0, 11);
  for (uint32_t round = 0; round < 16 && !o.errors; round++) {
    read(o, 0, 1, a, 0);
    drain(o);
    unmap(o, 1, a);
    o.serve = false;
    for (uint32_t i = 0; i < 4; i++) {
      const uint64_t at = a + 1024 + 8 * (round % 2 ? i : 3 - i) + 7; // of 9 bytes
      feed(o, ask(o, 0, whole(op(o, true, 1, at, (i + round / 2) % 4, 2))));
    }
    o.serve = true;
    finish(o);
    read(o, 0, 1, a + 1024, 0, 8);
    drain(o);
  }
}

/// Reads of one page and writes of another at full rate, everybody ready: bursts a cycle, at equal
/// offsets or at others.
double rate(Order &o, bool equal) {
  o.what = "full rate";
  Master &m = o.master[0];
  StrictMemory &mem = o.mem[0];
  mem.aw_slow = mem.w_slow = mem.ar_slow = mem.latency = 1;
  m.hurry = true;
  uint64_t a = o.page_va(0, 7), b = o.page_va(0, 8), n = 0, begin = 0, done = 0;
  write(o, 0, 1, a, 0);
  read(o, 0, 1, b, 0);
  drain(o);
  for (int i = 0; i < 4000; i++, n++) {
    uint64_t off = 8 * (n % 4);
    if (!m.aw) m.ask(op(o, true, 1, a + off, static_cast<uint32_t>(n % 3)));
    if (!m.ar) m.ask(op(o, false, 1, b + (equal ? off : off + 64), static_cast<uint32_t>(n % 3)));
    o.step();
    if (i == 1000) begin = o.cycle, done = m.ended;
  }
  double rate = static_cast<double>(m.ended - done) / static_cast<double>(o.cycle - begin);
  drain(o);
  m.hurry = false;
  return rate;
}
} // namespace

Rates directed(Order &o) {
  Rates r{rate(o, true), rate(o, false)};
  if (r.equal < (kOrder == 2 ? 0.3 : 0.99 * r.other) || r.other < 0.9)
    o.fail("bursts a cycle, reads and writes of two pages, percent", 100,
           static_cast<uint64_t>(100 * r.equal), 0);
  if (kBytes == 8) late_w(o);
  if (kOrder == 0 || kBytes != 8) return r; // they count on 4 slots and 8-byte beats
  for (auto &m : o.mem) m.w_slow = m.aw_slow = m.ar_slow = 2, m.latency = 6;
  stalled_write(o, 0, 1);
  stalled_write(o, 1, 2);
  stalled_write(o, 1, 1);
  doors(o, false);
  doors(o, true);
  refused(o);
  edges(o);
  chains(o);
  late_w_and_fault(o, false);
  late_w_and_fault(o, true);
  return r;
}
