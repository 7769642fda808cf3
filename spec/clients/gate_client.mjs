#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// The official SDK clients (v1 over its handshake, v2 in both eras) whose users approve, decline, dismiss,
// answer too late, never answer, and disappear while croft asks them about a call.
//   node gate_client.mjs -- CMD [ARG...]        {ws} is the root; --gate, --policy and --audit are added
// Ends with 'N passed, N failed'.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Transport2 } from '@modelcontextprotocol/client/stdio';

const TIMEOUT_S = 1.5;
const cut = process.argv.indexOf('--');
const cmd = (cut < 0 ? [] : process.argv.slice(cut + 1)).map((x) => (x.includes('/') && !x.startsWith('/') && fs.existsSync(x) ? path.resolve(x) : x));
if (!cmd.length) { console.error('usage: gate_client.mjs -- CMD [ARG...]'); process.exit(2); }
const base = fs.mkdtempSync(path.join(os.tmpdir(), 'mcpgate.')), ws = path.join(base, 'ws');
const policy = path.join(base, 'policy.lua'), audit = path.join(base, 'audit.log');
fs.mkdirSync(ws);
fs.writeFileSync(path.join(ws, 'a.txt'), 'alpha\n');
fs.writeFileSync(policy, `return policy { version = 1, decider = { kind = "elicit", timeout_s = ${TIMEOUT_S} }, rules = {
  allow { tools = { "list" }, paths = { "**" } }, deny { tools = "*", paths = { "**/.env" }, why = "credentials" } } }`, { mode: 0o600 });

let passed = 0, failed = 0;
const short = (x) => { const s = typeof x === 'string' ? x : JSON.stringify(x) ?? String(x); return s.length > 260 ? s.slice(0, 257) + '...' : s; };
function check(name, ok, statement, got) {
  if (ok) { passed++; console.log(`PASS ${name.padEnd(22)} ${statement}`); } else { failed++; console.log(`FAIL ${name.padEnd(22)} ${statement} -- got: ${short(got)}`); }
}
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const text = (r) => (r?.content ?? []).map((c) => c.text ?? '').join('\n');
const form = (decision, note) => ({ action: 'accept', content: note === undefined ? { decision } : { decision, note } });
const exists = (name) => fs.existsSync(path.join(ws, name));
const records = () => (fs.existsSync(audit) ? fs.readFileSync(audit, 'utf8').trim().split('\n').map((x) => JSON.parse(x)) : []);

function make(kind, forms = true) {
  const args = [...cmd.slice(1).map((x) => x.replaceAll('{ws}', ws)), '--gate', 'elicit', '--policy', policy, '--audit', audit];
  const capabilities = forms ? { elicitation: { form: {} } } : {};
  const [C, T] = kind === 'v1' ? [Client1, Transport1] : [Client2, Transport2];
  const mode = kind === 'modern' ? { pin: '2026-07-28' } : 'legacy';
  const client = new C({ name: 'gate', version: '1.0.0' }, kind === 'v1' ? { capabilities } : { capabilities, versionNegotiation: { mode } });
  const asked = [];
  const state = { answer: async () => form('allow once') };
  const handler = async (request) => { asked.push(request.params); return state.answer(request); };
  if (forms) { if (kind === 'v1') client.setRequestHandler(ElicitRequestSchema, handler); else client.setRequestHandler('elicitation/create', handler); }
  client.onerror = () => {};
  return { client, asked, state, connect: () => client.connect(new T({ command: cmd[0], args, cwd: ws, stderr: 'ignore' })) };
}

for (const kind of ['v1', 'legacy', 'modern']) {
  const { client, asked, state, connect } = make(kind);
  await connect();
  const call = (name, args) => client.callTool({ name, arguments: args });
  const write = (name) => call('write', { path: name, content: 'x' });
  let r = await call('list', {});
  check(`${kind}.allowed`, !r.isError && asked.length === 0, 'what a rule allows is not asked for', r);
  r = await write(`${kind}-1`);
  check(`${kind}.approves`, !r.isError && exists(`${kind}-1`) && asked.length === 1, 'an approved call runs', r);
  check(`${kind}.form`, /write/.test(asked[0]?.message) && asked[0]?.requestedSchema?.properties?.decision?.enum?.length === 3, 'the form names the call and three choices', asked[0]);
  state.answer = async () => form('allow for this session');
  await call('read', { path: 'a.txt' }); await call('read', { path: 'a.txt' });
  check(`${kind}.session`, asked.length === 2, 'what is allowed for the session is asked for once', asked.length);
  for (const [name, answer, pattern] of [['denies', form('deny', 'not before Friday'), /not before Friday/], ['declines', { action: 'decline' }, /declined/], ['dismisses', { action: 'cancel' }, /closed without an answer/]]) {
    state.answer = async () => answer;
    r = await write(`${kind}-${name}`);
    check(`${kind}.${name}`, r.isError === true && pattern.test(text(r)) && !exists(`${kind}-${name}`), 'the call is refused, and nothing was done', r);
  }
  const before = asked.length;
  r = await call('read', { path: 'x/.env' });
  check(`${kind}.denied`, r.isError === true && /credentials/.test(text(r)) && asked.length === before, 'what a rule denies is not asked for', r);
  let release; state.answer = () => new Promise((done) => { release = () => done(form('allow once')); });
  const waiting = write(`${kind}-waits`);
  while (!release) await sleep(5);
  r = await call('list', {});
  check(`${kind}.others`, !r.isError && !exists(`${kind}-waits`), 'other calls go on while a question is open', r);
  release(); r = await waiting;
  check(`${kind}.then`, !r.isError && exists(`${kind}-waits`), 'and the one that waited runs when it is answered', r);
  state.answer = async () => { await sleep(TIMEOUT_S * 1000 + 400); return form('allow once'); };
  r = await write(`${kind}-late`).catch((e) => ({ isError: true, content: [{ text: String(e) }] }));
  check(`${kind}.late`, r.isError === true && /in time|too old/.test(text(r)) && !exists(`${kind}-late`), 'an answer that comes too late is none', r);
  state.answer = () => new Promise(() => {});
  const cancel = new AbortController();
  const count = asked.length;
  const aborted = client.callTool({ name: 'write', arguments: { path: `${kind}-cancelled`, content: 'x' } }, kind === 'v1' ? undefined : { signal: cancel.signal }, { signal: cancel.signal }).catch(() => 'aborted');
  while (asked.length === count) await sleep(5);
  cancel.abort(); await Promise.race([aborted, sleep(500)]); // the modern driver waits for its user first
  r = await call('list', {});
  check(`${kind}.cancels`, !r.isError && !exists(`${kind}-cancelled`), 'a call that is cancelled while it waits does nothing', r);
  write(`${kind}-gone`).catch(() => {});
  while (asked.length === count + 1) await sleep(5);
  const t0 = performance.now(); await client.close(); await sleep(100);
  check(`${kind}.disappears`, performance.now() - t0 < 2000 && !exists(`${kind}-gone`), 'a client that goes leaves nothing done', Math.round(performance.now() - t0));
  const mute = make(kind, false);
  await mute.connect();
  r = await mute.client.callTool({ name: 'write', arguments: { path: `${kind}-mute`, content: 'x' } });
  check(`${kind}.cannot_ask`, r.isError === true && /no way to ask/.test(text(r)) && !exists(`${kind}-mute`), 'a client that has no forms is refused', r);
  await mute.client.close();
}
const kept = records(), digests = new Set(kept.filter((x) => x.op === 'question').map((x) => x.digest));
check('audit.questions', kept.filter((x) => x.op === 'question').every((x) => x.decider === 'elicit' && /^[0-9a-f]{64}$/.test(x.digest)), 'each question is recorded with decider and digest', kept.filter((x) => x.op === 'question').slice(0, 2));
check('audit.writes', kept.filter((x) => x.op === 'write' || x.op === 'replace').every((x) => kept.some((y) => y.op === 'verdict' && y.verdict === 'ok' && y.path === x.path && digests.has(y.digest))), 'nothing was written without a verdict', kept.length);
check('audit.order', (() => { const open = new Set(); for (const x of kept) { if (x.op === 'verdict' && x.verdict === 'ok') open.add(x.tool + x.path); else if (['page', 'replace', 'load'].includes(x.op) && !open.has(x.tool + x.path)) return false; } return true; })(), 'nothing was read before the verdict', '');
fs.rmSync(base, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
