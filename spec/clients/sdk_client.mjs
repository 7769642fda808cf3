#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// The official SDK client (v1, @modelcontextprotocol/sdk) over stdio against any server command.
//
//   node sdk_client.mjs [options] -- CMD [ARG...]        {ws} in an ARG is the workspace root
//
//   --prefix P         tools are named P + list/read/grep/write/edit (e.g. workspace_)
//   --map FILE         other names and arguments (see maps/, mcp_stdio.ToolMap)
//   --profile ours|spec   spec: our own choices are NOTEs that do not count
//   --tree-mib N       size of the tree that the long grep searches (default 192)
//   --only REGEX --keep --verbose
//
// Prints PASS/FAIL lines and ends with 'N passed, N failed'.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import crypto from 'node:crypto';
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import Ajv2020Module from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
const Ajv2020 = Ajv2020Module.default ?? Ajv2020Module;
const addFormats = addFormatsModule.default ?? addFormatsModule;

const cut = process.argv.indexOf('--');
// the server runs with cwd = ws: a relative path that exists here is made absolute
const cmd = (cut < 0 ? [] : process.argv.slice(cut + 1)).map((x) => (x.includes('/') && !x.startsWith('/') && fs.existsSync(x) ? path.resolve(x) : x));
const { values: opt } = parseArgs({
  args: process.argv.slice(2, cut < 0 ? undefined : cut),
  options: {
    prefix: { type: 'string', default: '' }, map: { type: 'string' }, profile: { type: 'string', default: 'ours' },
    'tree-mib': { type: 'string', default: '192' }, only: { type: 'string' }, keep: { type: 'boolean' }, verbose: { type: 'boolean' },
  },
});
if (!cmd.length) { console.error('usage: sdk_client.mjs [options] -- CMD [ARG...]'); process.exit(2); }

let passed = 0, failed = 0, notes = 0;
const short = (x) => { const s = typeof x === 'string' ? x : JSON.stringify(x, (k, v) => (typeof v === 'string' && v.length > 200 ? v.slice(0, 200) + '...' : v)) ?? String(x); return s.length > 300 ? s.slice(0, 297) + '...' : s; };
function check(name, ok, level, statement, got) {
  if (opt.only && !new RegExp(opt.only).test(name)) return !!ok;
  const g = got === undefined ? '' : ` -- got: ${short(got)}`;
  if (ok) { passed++; console.log(`PASS ${name.padEnd(34)} ${statement}`); }
  else if (level === 'ours' && opt.profile === 'spec') { notes++; console.log(`NOTE ${name.padEnd(34)} (our choice) ${statement}${g}`); }
  else { failed++; console.log(`FAIL ${name.padEnd(34)} [${level}] ${statement}${g}`); }
  return !!ok;
}
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const within = (p, ms) => Promise.race([p, sleep(ms).then(() => { throw new Error(`no answer in ${ms} ms`); })]);

// -- workspace ---------------------------------------------------------------
const base = fs.mkdtempSync(path.join(os.tmpdir(), 'mcpsdk.'));
const ws = path.join(base, 'ws');
fs.mkdirSync(path.join(ws, 'sub', 'deep'), { recursive: true });
fs.mkdirSync(path.join(base, 'outside'));
fs.writeFileSync(path.join(base, 'outside', 'secret.txt'), 'TOPSECRET\n');
fs.writeFileSync(path.join(ws, 'a.txt'), 'alpha\nbeta\ngamma\n');
fs.writeFileSync(path.join(ws, 'sub', 'b.txt'), 'one needle here\ntwo\n');
fs.writeFileSync(path.join(ws, 'empty.txt'), '');
fs.writeFileSync(path.join(ws, 'no_nl.txt'), 'last line without newline');
fs.writeFileSync(path.join(ws, 'héllo 漢.txt'), 'grüße 漢字 😀\n');
fs.writeFileSync(path.join(ws, 'lines.txt'), Array.from({ length: 500 }, (_, i) => `line-${i + 1}`).join('\n') + '\n');
for (let i = 0; i < 200; i++) fs.writeFileSync(path.join(ws, 'sub', 'deep', `p${i}.txt`), `content of p${i} #${i * 7919}\n`);
function bigTree() { // distinct 1 MiB text files, so that a grep over them takes a while
  const n = Number(opt['tree-mib']);
  fs.mkdirSync(path.join(ws, 'big'), { recursive: true });
  for (let i = 0; i < n; i++) {
    let s = '';
    const line = crypto.createHash('sha256').update('f' + i).digest('hex');
    while (s.length < 1 << 20) s += `${line} aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ${s.length}\n`;
    fs.writeFileSync(path.join(ws, 'big', `f${i}.txt`), s.slice(0, (1 << 20) - 1) + '\n');
  }
}

// -- tool names and arguments --------------------------------------------------
const map = opt.map ? JSON.parse(fs.readFileSync(opt.map, 'utf8')) : {};
const tmap = map.tools ?? {};
const tname = (t) => tmap[t]?.name ?? opt.prefix + t;
function fill(t, a) {
  if (Array.isArray(t)) return t.map((x) => fill(x, a));
  if (typeof t === 'string' && t.startsWith('$')) return a[t.slice(1)];
  if (t && typeof t === 'object') return Object.fromEntries(Object.entries(t).filter(([, v]) => !(typeof v === 'string' && v.startsWith('$') && !(v.slice(1) in a))).map(([k, v]) => [k, fill(v, a)]));
  return t;
}
let schemas = {};
const SYN = { // our argument names, and what other schemas call them
  old_string: ['old_string', 'old', 'old_text', 'oldText', 'old_str', 'find', 'search'],
  new_string: ['new_string', 'new', 'new_text', 'newText', 'new_str', 'replace', 'replacement'],
  pattern: ['pattern', 'regex', 'query'], path: ['path', 'file', 'file_path', 'dir', 'directory'],
  content: ['content', 'text', 'contents'], offset: ['offset', 'start', 'start_line', 'line'], limit: ['limit', 'max_lines', 'count', 'lines'],
  replace_all: ['replace_all', 'all', 'replaceAll'], recursive: ['recursive'],
};
function targs(t, a) {
  const e = tmap[t];
  a = { ...a };
  if (map.paths === 'absolute') { const p = a.path ?? '.'; a.path = p.startsWith('/') ? p : p === '.' ? ws : path.join(ws, p); if (p.startsWith('..')) a.path = path.resolve(ws, p); }
  if (e?.template) return fill(e.template, a);
  const props = schemas[t]?.properties ?? {};
  const out = {};
  for (const [k, v] of Object.entries(a)) { const n = (SYN[k] ?? [k]).find((x) => x in props) ?? k; out[e?.rename?.[k] ?? n] = v; }
  return out;
}
const has = (t, k) => !tmap[t] && (SYN[k] ?? [k]).some((x) => x in (schemas[t]?.properties ?? {}));
const text = (r) => (r?.content ?? []).filter((c) => c.type === 'text').map((c) => c.text).join('\n');

class Session {
  static async open(opts = {}) {
    const s = new Session();
    s.errors = []; s.late = []; s.wire = [];
    s.tr = new StdioClientTransport({ command: cmd[0], args: cmd.slice(1).map((x) => x.replaceAll('{ws}', ws)), cwd: ws, env: { ...process.env, WORKSPACE_ROOT: ws }, stderr: 'pipe', maxBufferSize: 1 << 26 });
    s.err = ''; s.tr.stderr?.on('data', (d) => { if (s.err.length < 1e5) s.err += d; });
    s.tr.setProtocolVersion = (v) => { s.version = v; };
    s.client = new Client({ name: 'accept-sdk', version: '1.0.0' }, { capabilities: opts.capabilities ?? {} });
    s.client.onerror = (e) => s.errors.push(String(e?.message ?? e));
    await within(s.client.connect(s.tr), 20000);
    s.proc = s.tr._process;
    s.exit = new Promise((r) => s.proc.once('exit', (code, sig) => r({ code, sig })));
    const inner = s.tr.onmessage; // watch the wire: when each message came
    s.tr.onmessage = (m, x) => { s.wire.push({ t: performance.now(), m }); inner(m, x); };
    return s;
  }
  call(t, a, o = {}) { return this.client.callTool({ name: tname(t), arguments: targs(t, a) }, undefined, { timeout: 60000, ...o }); }
  async tryCall(t, a, o) { try { return { result: await this.call(t, a, o) }; } catch (e) { return { error: e }; } }
  async close() { try { await this.client.close(); } catch { /* gone */ } if (this.proc.exitCode === null && this.proc.signalCode === null) this.proc.kill('SIGKILL'); }
}
const isErr = (r) => !!r.error || r.result?.isError === true;
const msgOf = (r) => (r.error ? String(r.error.message) : text(r.result));

async function group(name, f) {
  if (opt.only && !new RegExp(opt.only).test(name) && !/^(\w+)/.test(opt.only)) return;
  try { await f(); } catch (e) { check(name, false, 'must', 'runs to its end', e?.stack?.split('\n').slice(0, 3).join(' | ')); }
}

async function main() {
  let s = await Session.open();
  // -- initialize
  const raw = s.client.getServerCapabilities() ?? {};
  check('init.version', s.version === LATEST_PROTOCOL_VERSION, 'must', `SDK client negotiates ${LATEST_PROTOCOL_VERSION}`, s.version);
  check('init.tools_capability', !!raw.tools, 'must', 'declares tools', raw);
  check('init.server_name', !!s.client.getServerVersion()?.name && !!s.client.getServerVersion()?.version, 'must', 'has a name and version', s.client.getServerVersion());
  check('init.instructions', (s.client.getInstructions() ?? '').length > 20, 'ours', 'has instructions', s.client.getInstructions());

  // -- tools/list
  const listed = [];
  let cursor, pages = 0;
  do { const r = await s.client.listTools(cursor ? { cursor } : {}); listed.push(...r.tools); cursor = r.nextCursor; pages++; } while (cursor && pages < 50);
  check('list.one_page', pages === 1, 'ours', 'one page: real clients do not follow nextCursor (claude-code#39586, codex#28858)', pages);
  const byName = Object.fromEntries(listed.map((t) => [t.name, t]));
  for (const t of ['list', 'read', 'grep', 'write', 'edit']) {
    check(`list.has_${t}`, !!byName[tname(t)], 'must', `tool ${tname(t)} is listed`, Object.keys(byName));
    schemas[t] = byName[tname(t)]?.inputSchema;
  }
  check('list.only_five', listed.length === 5 || opt.map, 'ours', 'and nothing else', listed.length);
  check('list.size', JSON.stringify(listed).length < 12000 || opt.map, 'ours', 'all definitions under 12 000 bytes (context budget)', JSON.stringify(listed).length);
  const ajv = new Ajv2020({ strict: true, allErrors: true }); addFormats(ajv);
  const HINT = { list: [true, false, true, false], read: [true, false, true, false], grep: [true, false, true, false], write: [false, true, true, false], edit: [false, true, false, false] };
  for (const tool of listed) {
    const n = tool.name, sc = tool.inputSchema;
    check(`schema.${n}.meta`, (() => { try { return ajv.validateSchema({ ...sc, $schema: undefined }); } catch { return false; } })(), 'must', 'inputSchema is valid JSON Schema 2020-12', ajv.errorsText());
    let ce = ''; try { const c = { ...sc }; delete c.$schema; ajv.compile(c); } catch (e) { ce = e.message; }
    check(`schema.${n}.strict`, ce === '', 'ours', 'and compiles under ajv 2020-12 strict', ce);
    check(`schema.${n}.dialect`, sc.$schema === undefined || /2020-12/.test(sc.$schema), 'ours', 'names no other dialect (claude-code#586)', sc.$schema);
    check(`schema.${n}.object`, sc.type === 'object', 'must', 'top level type is object', sc.type);
    check(`schema.${n}.no_top_combinators`, !sc.anyOf && !sc.oneOf && !sc.allOf && !sc.$ref && !sc.if, 'ours', 'no anyOf/oneOf/allOf/$ref at the top (claude-code#5973, #88049)');
    check(`schema.${n}.closed`, sc.additionalProperties === false, 'ours', 'additionalProperties is false', sc.additionalProperties);
    const odd = [];
    (function walk(x, p) {
      if (!x || typeof x !== 'object') return;
      if (p !== '#' && !Array.isArray(x) && !x.type) odd.push(`${p}: no type`);
      if (Array.isArray(x.type)) odd.push(`${p}: type is an array`);
      if (x.type === 'array' && !(x.items && typeof x.items === 'object')) odd.push(`${p}: array without items`);
      for (const k of ['$ref', '$defs', 'definitions', 'anyOf', 'oneOf', 'allOf', 'not', 'const', 'if', 'patternProperties', 'exclusiveMinimum', 'exclusiveMaximum', 'propertyNames', 'prefixItems', 'format']) if (k in x) odd.push(`${p}: ${k}`);
      if (x.enum && x.enum.some((e) => typeof e !== 'string')) odd.push(`${p}: enum of non-strings`);
      for (const [k, v] of Object.entries(x.properties ?? {})) { if (!v.description) odd.push(`${p}/${k}: no description`); if (!/^[a-zA-Z0-9_]{1,64}$/.test(k)) odd.push(`${p}/${k}: name`); walk(v, `${p}/${k}`); }
      if (x.items) walk(x.items, `${p}[]`);
    })(sc, '#');
    check(`schema.${n}.portable`, odd.length === 0, 'ours', 'only keywords that every client accepts; arrays have items, properties a type and description', odd.slice(0, 5));
    if (tool.outputSchema) { let oe = ''; try { const c = { ...tool.outputSchema }; delete c.$schema; new Ajv2020({ strict: true }).compile(c); } catch (e) { oe = e.message; } check(`schema.${n}.output`, oe === '', 'must', 'outputSchema compiles', oe); }
    check(`tool.${n}.name`, /^[a-zA-Z0-9_-]{1,40}$/.test(n), 'ours', 'name is [a-zA-Z0-9_-]{1,40} (60-64 with the server name in Cursor, OpenAI, Bedrock)', n);
    check(`tool.${n}.description`, (tool.description ?? '').length >= 20, 'must', 'has a description');
    check(`tool.${n}.title`, !!(tool.title ?? tool.annotations?.title), 'ours', 'has a title');
    const a = tool.annotations ?? {};
    check(`tool.${n}.annotations`, ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'].every((k) => typeof a[k] === 'boolean'), 'ours', 'all four hints are given', a);
  }
  for (const [t, [ro, de, id, ow]] of Object.entries(HINT)) {
    const a = byName[tname(t)]?.annotations ?? {};
    check(`hints.${t}`, a.readOnlyHint === ro && (ro || a.destructiveHint === de) && (ro || a.idempotentHint === id) && a.openWorldHint === ow, 'ours', `readOnly ${ro}${ro ? '' : `, destructive ${de}, idempotent ${id}`}, openWorld ${ow}`, a);
  }

  // -- scenario
  await group('use', async () => {
    let r = await s.tryCall('write', { path: 'notes/day/one.md', content: '# One\nalpha\nbeta\nalpha\n' });
    if (isErr(r) && opt.map) { fs.mkdirSync(path.join(ws, 'notes/day'), { recursive: true }); r = await s.tryCall('write', { path: 'notes/day/one.md', content: '# One\nalpha\nbeta\nalpha\n' }); }
    const disk = (p) => { try { return fs.readFileSync(path.join(ws, p), 'utf8'); } catch { return null; } };
    check('use.write_new', !isErr(r) && disk('notes/day/one.md') === '# One\nalpha\nbeta\nalpha\n', 'must', 'write makes the file (and its directories) with exactly the content', msgOf(r));
    r = await s.tryCall('read', { path: 'notes/day/one.md' });
    check('use.read_back', !isErr(r) && /beta/.test(text(r.result)), 'must', 'read gives it back', msgOf(r));
    r = await s.tryCall('list', { path: 'notes/day' });
    check('use.list', !isErr(r) && /one\.md/.test(text(r.result)), 'must', 'list shows it', msgOf(r));
    r = await s.tryCall('list', { path: '.' });
    check('use.list_root', !isErr(r) && /a\.txt/.test(text(r.result)) && /sub/.test(text(r.result)), 'must', 'list of "." shows the root', msgOf(r));
    r = await s.tryCall('edit', { path: 'notes/day/one.md', old_string: 'beta', new_string: 'BETA' });
    check('use.edit', !isErr(r) && disk('notes/day/one.md') === '# One\nalpha\nBETA\nalpha\n', 'must', 'edit replaces a unique string', [msgOf(r), disk('notes/day/one.md')]);
    r = await s.tryCall('edit', { path: 'notes/day/one.md', old_string: 'alpha', new_string: 'x' });
    check('use.edit_ambiguous', isErr(r) && disk('notes/day/one.md') === '# One\nalpha\nBETA\nalpha\n', 'ours', 'edit of a string that occurs twice is refused and changes nothing', msgOf(r));
    if (has('edit', 'replace_all')) { r = await s.tryCall('edit', { path: 'notes/day/one.md', old_string: 'alpha', new_string: 'x', replace_all: true }); check('use.edit_all', !isErr(r) && disk('notes/day/one.md') === '# One\nx\nBETA\nx\n', 'ours', 'replace_all replaces all', msgOf(r)); }
    r = await s.tryCall('edit', { path: 'a.txt', old_string: 'not there', new_string: 'x' });
    check('use.edit_no_match', isErr(r) && disk('a.txt') === 'alpha\nbeta\ngamma\n', 'must', 'edit without a match is an error and changes nothing', msgOf(r));
    r = await s.tryCall('grep', { path: '.', pattern: 'needle' });
    check('use.grep', !isErr(r) && /b\.txt/.test(text(r.result)), 'ours', 'grep finds the line', msgOf(r));
    r = await s.tryCall('grep', { path: '.', pattern: 'no such thing zqx' });
    check('use.grep_none', !isErr(r), 'ours', 'grep without a match is no error', msgOf(r));
    if (has('read', 'offset')) { r = await s.tryCall('read', { path: 'lines.txt', offset: 100, limit: 2 }); const t = text(r.result ?? {}); check('use.read_page', /line-100\b|line-101\b/.test(t) && !/line-110\b/.test(t), 'ours', 'offset and limit page through a file', t); }
    r = await s.tryCall('read', { path: 'empty.txt' });
    check('use.read_empty', !isErr(r), 'must', 'an empty file reads without an error', msgOf(r));
    r = await s.tryCall('read', { path: 'héllo 漢.txt' });
    check('use.read_unicode', !isErr(r) && text(r.result).includes('grüße 漢字 😀'), 'must', 'unicode in name and content', msgOf(r));
    r = await s.tryCall('read', { path: 'nope.txt' });
    check('use.read_missing', isErr(r), 'must', 'a missing file is an error', msgOf(r));
    check('use.read_missing.is_error', !!r.result?.isError, 'ours', 'as isError', r.error?.message);
    check('use.read_missing.no_root', !msgOf(r).includes(base), 'ours', 'that does not tell where the root is', msgOf(r));
    for (const [tag, p] of [['dotdot', '../outside/secret.txt'], ['absolute', '/etc/passwd'], ['deep_dotdot', 'sub/../../outside/secret.txt'], ['abs_secret', path.join(base, 'outside', 'secret.txt')]]) {
      r = await s.tryCall('read', { path: p });
      check(`jail.read_${tag}`, isErr(r) && !/TOPSECRET|root:/.test(JSON.stringify(r.result ?? '')), 'must', `read ${tag}: refused`, msgOf(r));
      check(`jail.read_${tag}.no_root`, p.startsWith(base) || !msgOf(r).includes(base), 'ours', 'without telling the root', msgOf(r));
    }
    fs.symlinkSync('../outside', path.join(ws, 'ln'));
    r = await s.tryCall('read', { path: 'ln/secret.txt' });
    check('jail.read_symlink', isErr(r) && !/TOPSECRET/.test(JSON.stringify(r.result ?? '')), 'must', 'read through a symlink to outside: refused', msgOf(r));
    r = await s.tryCall('write', { path: 'ln/new.txt', content: 'x' });
    check('jail.write_symlink', isErr(r) && !fs.existsSync(path.join(base, 'outside', 'new.txt')), 'must', 'write through it: refused', msgOf(r));
    r = await s.tryCall('write', { path: '../outside/new.txt', content: 'x' });
    check('jail.write_dotdot', isErr(r) && !fs.existsSync(path.join(base, 'outside', 'new.txt')), 'must', 'write to ../: refused', msgOf(r));
    fs.unlinkSync(path.join(ws, 'ln'));
  });

  // -- errors
  await group('err', async () => {
    let r; try { r = { result: await s.client.callTool({ name: 'no_such_tool', arguments: {} }) }; } catch (e) { r = { error: e }; }
    check('err.unknown_tool', r.error?.code === -32602, 'must', 'unknown tool: JSON-RPC error -32602', r.error ? r.error.code : r.result);
    for (const [tag, t, a] of [['missing_required', 'read', {}], ['wrong_type', 'read', { path: { x: 1 } }], ['array', 'write', { path: ['a'], content: 'x' }], ['missing_second', 'write', { path: 'z.txt' }]]) {
      try { r = { result: await s.client.callTool({ name: tname(t), arguments: a }) }; } catch (e) { r = { error: e }; }
      check(`err.args_${tag}`, isErr(r), 'must', 'invalid arguments are an error', r.result);
      check(`err.args_${tag}.is_error`, r.result?.isError === true && text(r.result).length > 10, 'ours', 'given as isError with a text that the model can act on', r.error ? r.error.message : r.result);
    }
    try { r = { result: await s.client.callTool({ name: tname('read'), arguments: { ...targs('read', { path: 'a.txt' }), surplus: 1 } }) }; } catch (e) { r = { error: e }; }
    check('err.args_unknown_property', isErr(r), 'ours', 'an unknown argument is refused by name, not ignored', r.result);
    try { await s.client.listResources(); r = 'ok'; } catch (e) { r = e.code; }
    check('err.undeclared_resources', r === 'ok' || r === -32601, 'must', 'resources/list is answered (-32601 or a list): Claude Desktop asks anyway (claude-code#9012)', r);
    try { await s.client.listPrompts(); r = 'ok'; } catch (e) { r = e.code ?? String(e.message); }
    check('err.undeclared_prompts', r === 'ok' || r === -32601 || /does not support/.test(r), 'must', 'prompts/list likewise', r);
  });

  // -- size
  await group('size', async () => {
    const mib = 'x'.repeat((1 << 20) - 1) + '\n';
    let r = await s.tryCall('write', { path: 'mib.txt', content: mib });
    check('size.write_1mib', !isErr(r) && fs.readFileSync(path.join(ws, 'mib.txt'), 'utf8') === mib, 'must', 'a 1 MiB write arrives whole', msgOf(r));
    const odd = Array.from({ length: 20000 }, (_, i) => String.fromCodePoint(0x20 + ((i * 37) % 0x2fff))).join('').replace(/[\ud800-\udfff]/g, '') + '\u0001\u0008\u000c\t"\\/\u2028😀\n';
    r = await s.tryCall('write', { path: 'odd.txt', content: odd });
    check('size.write_odd', !isErr(r) && fs.readFileSync(path.join(ws, 'odd.txt'), 'utf8') === odd, 'must', 'control, escaped and wide characters arrive byte for byte', msgOf(r));
    r = await s.tryCall('write', { path: 'over.txt', content: 'x'.repeat((1 << 20) + 1) });
    check('size.write_over', isErr(r) && !fs.existsSync(path.join(ws, 'over.txt')), 'ours', 'one byte more than 1 MiB is refused and nothing is written', msgOf(r));
    r = await s.tryCall('read', { path: 'mib.txt' });
    check('size.read_capped', !isErr(r) && text(r.result).length < 64 * 1024, 'ours', 'a read result stays under 64 KiB', text(r.result ?? {}).length);
  });

  // -- many at once
  await group('par', async () => {
    const t0 = performance.now();
    const rs = await within(Promise.all(Array.from({ length: 200 }, (_, i) => s.tryCall('read', { path: `sub/deep/p${i}.txt` }))), 60000);
    const bad = rs.map((r, i) => (!isErr(r) && text(r.result).includes(`content of p${i} #${i * 7919}`) ? -1 : i)).filter((i) => i >= 0);
    check('par.200_reads', bad.length === 0, 'must', '200 reads in flight: each gets its own answer', bad.slice(0, 5));
    check('par.200_reads.time', performance.now() - t0 < 5000, 'ours', 'within 5 s', Math.round(performance.now() - t0) + ' ms');
    const ws2 = await within(Promise.all(Array.from({ length: 100 }, (_, i) => s.tryCall('write', { path: `par${i}.txt`, content: `w${i}` }))), 60000);
    check('par.100_writes', ws2.every((r, i) => !isErr(r) && fs.readFileSync(path.join(ws, `par${i}.txt`), 'utf8') === `w${i}`), 'must', '100 writes in flight: each file holds its own content');
    fs.writeFileSync(path.join(ws, 'ctr.txt'), Array.from({ length: 60 }, (_, i) => `<${i}>`).join('\n') + '\n');
    const es = await within(Promise.all(Array.from({ length: 60 }, (_, i) => s.tryCall('edit', { path: 'ctr.txt', old_string: `<${i}>`, new_string: `[${i}]` }))), 60000);
    const fin = fs.readFileSync(path.join(ws, 'ctr.txt'), 'utf8');
    const okn = es.filter((r) => !isErr(r)).length;
    const done = (fin.match(/\[\d+\]/g) ?? []).length;
    check('par.60_edits', done === okn && okn === 60, 'ours', '60 edits of one file in flight: none is lost', { reported: okn, in_file: done });
  });

  // -- long grep: progress, ping, cancellation
  await group('long', async () => {
    bigTree();
    const P = '[0-9a-f]{60}(b|c)+d zz$';
    let t0 = performance.now();
    let r = await s.tryCall('grep', { path: '.', pattern: P });
    const T = performance.now() - t0;
    check('long.grep', !isErr(r), 'ours', `grep over ${opt['tree-mib']} MiB ends without an error (${Math.round(T)} ms)`, msgOf(r));
    // progress
    const seen = []; let ended = 0;
    r = await s.tryCall('grep', { path: '.', pattern: P }, { onprogress: (p) => seen.push({ t: performance.now(), ...p }), resetTimeoutOnProgress: true });
    ended = performance.now();
    await sleep(100);
    check('long.progress.monotonic', seen.every((p, i) => i === 0 || p.progress > seen[i - 1].progress), 'must', 'progress only rises', seen.map((p) => p.progress).slice(0, 10));
    check('long.progress.stops', seen.every((p) => p.t <= ended + 5), 'must', 'and stops with the response');
    check('long.progress.some', seen.length >= 1 || T < 500, 'ours', 'a call longer than 0.5 s reports some', { count: seen.length, ms: Math.round(T) });
    check('long.progress.rate', seen.length <= 20 + ((ended - t0) / 1000) * 20, 'ours', 'at no more than about 20 a second', seen.length);
    r = await s.tryCall('grep', { path: 'sub', pattern: 'needle' });
    const stray = s.wire.filter((w) => w.m.method === 'notifications/progress' && w.t > ended + 50);
    check('long.progress.only_on_token', stray.length === 0, 'must', 'no progress for a call without a token', stray.length);
    // ping and a read during a long grep: enough greps in flight to keep it busy for a while
    const K = Math.max(1, Math.min(24, Math.ceil(600 / Math.max(T, 1))));
    const busy = Array.from({ length: K }, () => s.tryCall('grep', { path: '.', pattern: P }));
    let busyDone = false; Promise.all(busy).then(() => { busyDone = true; });
    await sleep(20);
    t0 = performance.now();
    await within(s.client.ping(), 60000);
    const tp = performance.now() - t0;
    check('long.ping', tp < 5000, 'must', 'ping is answered during a long grep', Math.round(tp) + ' ms');
    check('long.ping.prompt', tp < 300, 'ours', 'within 300 ms', Math.round(tp) + ' ms');
    t0 = performance.now();
    r = await s.tryCall('read', { path: 'a.txt' });
    const tr = performance.now() - t0;
    check('long.read', !isErr(r) && (tr < 1000 || busyDone), 'ours', 'a read during long greps is not held up for 1 s', Math.round(tr) + ' ms');
    await within(Promise.all(busy), 120000);
    // cancellation
    const n0 = s.wire.length;
    const acs = [], proms = [];
    for (let i = 0; i < Math.max(K, 4); i++) { const ac = new AbortController(); acs.push(ac); proms.push(s.tryCall('grep', { path: '.', pattern: P }, { signal: ac.signal })); }
    await sleep(15);
    const tc = performance.now();
    acs.forEach((a) => a.abort('accept: cancelled'));
    const rs = await within(Promise.all(proms), 30000);
    await within(s.client.ping(), 30000);
    const back = performance.now() - tc;
    await sleep(Math.min(1500, Math.max(300, T * 2)));
    const late = s.wire.slice(n0).filter((w) => w.t > tc + 150 && w.m.id !== undefined && !w.m.method && (w.m.result?.content || w.m.error));
    check('cancel.client_side', rs.every((x) => x.error), 'must', 'the SDK client sees its cancelled calls rejected', rs.filter((x) => !x.error).length);
    check('cancel.serves_on', back < 5000, 'must', 'the server answers the next ping', Math.round(back) + ' ms');
    check('cancel.prompt', back < 500, 'ours', 'within 0.5 s', Math.round(back) + ' ms');
    check('cancel.no_late_response', late.length === 0, 'ours', 'no response for a cancelled request later than 150 ms after (SHOULD NOT; 2026-07-28: MUST NOT)', late.map((w) => Math.round(w.t - tc) + ' ms'));
    t0 = performance.now();
    r = await s.tryCall('read', { path: 'a.txt' });
    check('cancel.work_stops', performance.now() - t0 < Math.max(300, T / 2), 'ours', 'and its work is given up: a read right after is quick', Math.round(performance.now() - t0) + ' ms');
    // cancel one of two
    const ac = new AbortController();
    const pa = s.tryCall('grep', { path: '.', pattern: P }, { signal: ac.signal }), pb = s.tryCall('grep', { path: 'sub', pattern: 'needle' });
    await sleep(5); ac.abort('one');
    const [ra, rb] = await within(Promise.all([pa, pb]), 60000);
    check('cancel.only_the_named', ra.error && !isErr(rb), 'must', 'cancelling one leaves the other alone', msgOf(rb));
    const n1 = s.wire.length, t1 = performance.now();
    await sleep(Math.min(5000, T * 1.5 + 300));
    const late1 = s.wire.slice(n1).filter((w) => w.t > t1 + 150 && w.m.id !== undefined && !w.m.method);
    check('cancel.stays_silent', late1.length === 0, 'ours', 'and the cancelled one never answers, not even when its work would have ended', late1.length);
  });
  check('wire.no_client_errors', s.errors.filter((e) => !/unknown message ID/.test(e)).length === 0, 'must', 'the SDK client reports no protocol error all along', s.errors.slice(0, 3));

  // -- shutdown
  await group('end', async () => {
    let t0 = performance.now();
    s.proc.stdin.end();
    let e = await Promise.race([s.exit, sleep(5000)]);
    check('end.stdin_closed', !!e, 'must', 'closing stdin ends the server (SHOULD exit promptly)', 'still running after 5 s');
    check('end.stdin_closed.0_1s', e?.code === 0 && performance.now() - t0 < 1000, 'ours', 'with code 0 within 1 s', { ...e, ms: Math.round(performance.now() - t0) });
    await s.close();
    s = await Session.open();
    const p = s.tryCall('grep', { path: '.', pattern: '[0-9a-f]{60}(b|c)+d zz$' });
    await sleep(10);
    t0 = performance.now(); s.proc.stdin.end();
    e = await Promise.race([s.exit, sleep(8000)]);
    check('end.stdin_closed_while_busy', !!e && performance.now() - t0 < 2500, 'ours', 'and within 2.5 s while a grep runs (the SDK sends SIGTERM after 2 s)', { ...e, ms: Math.round(performance.now() - t0) });
    await s.close(); await p;
    for (const sig of ['SIGTERM', 'SIGINT']) {
      s = await Session.open();
      const q = s.tryCall('grep', { path: '.', pattern: '[0-9a-f]{60}(b|c)+d zz$' });
      await sleep(10);
      t0 = performance.now(); s.proc.kill(sig);
      e = await Promise.race([s.exit, sleep(5000)]);
      check(`end.${sig}`, !!e, 'must', `${sig} ends it`, 'still running after 5 s');
      check(`end.${sig}.1s`, !!e && performance.now() - t0 < 1000 && (e.code === 0 || e.code === 128 + os.constants.signals[sig] || e.sig === sig), 'ours', `within 1 s, code 0 or ${128 + os.constants.signals[sig]} or by the signal`, { ...e, ms: Math.round(performance.now() - t0) });
      await s.close(); await q;
    }
    s = await Session.open();
    t0 = performance.now(); await s.client.close();
    check('end.sdk_close', performance.now() - t0 < 1900, 'ours', "the SDK's own close() ends it by EOF alone, before its SIGTERM at 2 s", Math.round(performance.now() - t0) + ' ms');
    await s.close();
    const leftovers = fs.readdirSync(ws).filter((f) => /\.(tmp|swp|bak)|~$|^\.[^.]/.test(f));
    check('end.no_leftovers', leftovers.length === 0, 'ours', 'no temporary files stay in the workspace', leftovers);
  });
}

let rc = 1;
try { await main(); } catch (e) { check('sdk_client', false, 'must', 'connects and runs to its end', e?.stack?.split('\n').slice(0, 3).join(' | ')); }
if (!opt.keep) fs.rmSync(base, { recursive: true, force: true }); else console.error('kept', base);
if (notes) console.log(`${notes} notes (our choices, not counted under --profile spec)`);
console.log(`${passed} passed, ${failed} failed`);
rc = failed ? 1 : 0;
process.exit(rc);
