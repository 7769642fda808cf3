#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// The v2 SDK client (@modelcontextprotocol/client 2.4.0, protocol 2026-07-28) over stdio.
//   node sdk2_client.mjs [--prefix P | --map FILE] [--profile ours|spec] -- CMD [ARG...]     {ws} = root
// Connects three times: legacy (the SDK's default), auto (probes with server/discover on a sibling
// process) and pinned to 2026-07-28. Ends with 'N passed, N failed'.
import fs from 'node:fs'; import os from 'node:os'; import path from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
const cut = process.argv.indexOf('--');
// the server runs with cwd = ws: a relative path that exists here is made absolute
const cmd = (cut < 0 ? [] : process.argv.slice(cut + 1)).map((x) => (x.includes('/') && !x.startsWith('/') && fs.existsSync(x) ? path.resolve(x) : x));
const { values: opt } = parseArgs({ args: process.argv.slice(2, cut < 0 ? undefined : cut), options: { prefix: { type: 'string', default: '' }, map: { type: 'string' }, profile: { type: 'string', default: 'ours' } } });
if (!cmd.length) { console.error('usage: sdk2_client.mjs [options] -- CMD [ARG...]'); process.exit(2); }
const map = opt.map ? JSON.parse(fs.readFileSync(opt.map, 'utf8')) : {};
const base = fs.mkdtempSync(path.join(os.tmpdir(), 'mcpsdk2.')), ws = path.join(base, 'ws');
fs.mkdirSync(ws); fs.writeFileSync(path.join(ws, 'a.txt'), 'alpha\nbeta\n');
const tname = (t) => map.tools?.[t]?.name ?? opt.prefix + t;
const p = (x) => (map.paths === 'absolute' ? path.join(ws, x) : x);
let passed = 0, failed = 0, notes = 0;
const short = (x) => { const s = typeof x === 'string' ? x : JSON.stringify(x) ?? String(x); return s.length > 260 ? s.slice(0, 257) + '...' : s; };
function check(name, ok, level, st, got) {
  if (ok) { passed++; console.log(`PASS ${name.padEnd(26)} ${st}`); }
  else if (level === 'ours' && opt.profile === 'spec') { notes++; console.log(`NOTE ${name.padEnd(26)} (our choice) ${st} -- got: ${short(got)}`); }
  else { failed++; console.log(`FAIL ${name.padEnd(26)} [${level}] ${st} -- got: ${short(got)}`); }
}
const text = (r) => (r?.content ?? []).map((c) => c.text ?? '').join('\n');
for (const [tag, mode, level] of [['legacy', 'legacy', 'must'], ['auto', 'auto', 'must'], ['pin', { pin: '2026-07-28' }, 'ours']]) {
  const errors = [];
  const tr = new StdioClientTransport({ command: cmd[0], args: cmd.slice(1).map((x) => x.replaceAll('{ws}', ws)), cwd: ws, env: { ...process.env, WORKSPACE_ROOT: ws }, stderr: 'pipe' });
  const c = new Client({ name: 'accept-sdk2', version: '1.0.0' }, { versionNegotiation: { mode } });
  c.onerror = (e) => errors.push(String(e?.message ?? e));
  const t0 = performance.now();
  try { await c.connect(tr); } catch (e) { check(`${tag}.connect`, false, level, `connects with mode ${JSON.stringify(mode)}`, e.message); await c.close().catch(() => {}); continue; }
  check(`${tag}.connect`, true, level, `connects with mode ${JSON.stringify(mode)} (${Math.round(performance.now() - t0)} ms)`);
  const era = c.getProtocolEra?.() ?? '?';
  if (tag !== 'legacy') check(`${tag}.era`, era === 'modern', 'ours', 'and speaks 2026-07-28', { era, version: c.getNegotiatedProtocolVersion?.() });
  try {
    const l = await c.listTools();
    check(`${tag}.list`, ['list', 'read', 'grep', 'write', 'edit'].every((t) => l.tools.some((x) => x.name === tname(t))), 'must', 'tools/list passes the SDK schema and names the five tools', l.tools.map((t) => t.name));
    let r = await c.callTool({ name: tname('read'), arguments: { path: p('a.txt') } });
    check(`${tag}.read`, /alpha/.test(text(r)) && !r.isError, 'must', 'read', r);
    r = await c.callTool({ name: tname('write'), arguments: { path: p(`w-${tag}.txt`), content: 'w' } });
    check(`${tag}.write`, !r.isError && fs.readFileSync(path.join(ws, `w-${tag}.txt`), 'utf8') === 'w', 'must', 'write', r);
    r = await c.callTool({ name: tname('read'), arguments: { path: p('nope') } });
    check(`${tag}.read_missing`, r.isError === true, 'must', 'a missing file is isError', r);
    let code; try { r = await c.callTool({ name: 'no_such_tool', arguments: {} }); } catch (e) { code = e.code; }
    check(`${tag}.unknown_tool`, code === -32602, 'must', 'unknown tool: -32602', code ?? r);
    const rs = await Promise.all(Array.from({ length: 100 }, () => c.callTool({ name: tname('read'), arguments: { path: p('a.txt') } })));
    check(`${tag}.100_reads`, rs.every((x) => /alpha/.test(text(x))), 'must', '100 reads in flight', '');
    if (era === 'modern') {
      const ch = []; let sub; // subscriptions/listen
      try { sub = await Promise.race([c.listen?.({ toolsListChanged: true }) ?? Promise.resolve('none'), new Promise((_, j) => setTimeout(() => j(new Error('no acknowledgement in 3 s')), 3000))]); check(`${tag}.listen`, true, 'ours', 'subscriptions/listen is acknowledged', ''); } catch (e) { check(`${tag}.listen`, false, 'ours', 'subscriptions/listen is acknowledged', e.message); }
    }
  } catch (e) { check(`${tag}.run`, false, 'must', 'runs to its end', e.message); }
  const t1 = performance.now(); await c.close().catch(() => {});
  check(`${tag}.close`, performance.now() - t1 < 1900, 'ours', 'close() ends the server by EOF alone', Math.round(performance.now() - t1) + ' ms');
  check(`${tag}.no_errors`, errors.length === 0, 'must', 'no protocol error in the client', errors.slice(0, 3));
}
fs.rmSync(base, { recursive: true, force: true });
if (notes) console.log(`${notes} notes (our choices, not counted under --profile spec)`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
