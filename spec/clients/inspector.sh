#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# MCP Inspector (CLI mode) against a server command: tools/list and tools/call.
#
#   inspector.sh [--prefix P | --map FILE] [--profile ours|spec] -- CMD [ARG...]   ({ws} in an ARG is the root)
#
# Inspector 0.15.0 runs on Node 18+ (old SDK, handshake). Inspector 2.12.0 needs Node >= 22.19: it is
# used when `node` is new enough or NODE22 names such a node's bin directory; it adds --strict (schema
# portability, exit 6), --protocol-era legacy/auto/modern and a load run.
# MCP_INSPECTOR_OLD / MCP_INSPECTOR_NEW may name the cli's index.js where they are installed already.
set -u
prefix=; map=; profile=ours; cmd=()
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) prefix=$2; shift 2;;
    --map) map=$2; shift 2;;
    --profile) profile=$2; shift 2;;
    --) shift; cmd=("$@"); break;;
    *) echo "unknown option $1" >&2; exit 2;;
  esac
done
[ ${#cmd[@]} -gt 0 ] || { sed -n '2,4p' "$0"; exit 2; }
base=$(mktemp -d "${TMPDIR:-/tmp}/mcpinsp.XXXXXX"); ws=$base/ws; mkdir -p "$ws/sub"
trap 'rm -rf "$base"' EXIT
printf 'alpha\nbeta needle\ngamma\n' > "$ws/a.txt"
for i in "${!cmd[@]}"; do
  case ${cmd[$i]} in /*) ;; */*) [ -e "${cmd[$i]}" ] && cmd[$i]=$(realpath "${cmd[$i]}");; esac # the server runs in $ws
  cmd[$i]=${cmd[$i]//\{ws\}/$ws}
done
passed=0; failed=0
ok() { passed=$((passed+1)); printf 'PASS %-30s %s\n' "$1" "$2"; }
no() { failed=$((failed+1)); printf 'FAIL %-30s %s -- got: %s\n' "$1" "$2" "$(printf %s "$3" | tr '\n' ' ' | cut -c1-260)"; }
name() { if [ -n "$map" ]; then python3 -c 'import json,sys;print(json.load(open(sys.argv[1]))["tools"][sys.argv[2]]["name"])' "$map" "$1"; else printf %s "$prefix$1"; fi; }
p() { if [ -n "$map" ]; then printf '%s/%s' "$ws" "$1"; else printf %s "$1"; fi; }
node -e 0 || exit 2
newnode=
ver_ok() { "$1" -e 'const [a,b]=process.versions.node.split(".").map(Number);process.exit(a>22||(a===22&&b>=19)?0:1)' 2>/dev/null; }
ver_ok node && newnode=$(dirname "$(command -v node)")
[ -z "$newnode" ] && [ -n "${NODE22:-}" ] && ver_ok "$NODE22/node" && newnode=$NODE22

old() { ( cd "$ws" && if [ -n "${MCP_INSPECTOR_OLD:-}" ]; then timeout 90 node "$MCP_INSPECTOR_OLD" "$@"; else timeout 180 npx -y @modelcontextprotocol/inspector@0.15.0 --cli "$@"; fi 2>"$base/err" ); }
# the 2.x CLI, with its own Node
new() { ( cd "$ws" && export PATH="$newnode:$PATH" MCP_CATALOG_PATH="$base/cat.json" && if [ -n "${MCP_INSPECTOR_NEW:-}" ]; then timeout 90 node "$MCP_INSPECTOR_NEW" --cli "$@"; else timeout 240 npx -y @modelcontextprotocol/inspector@2.12.0 --cli "$@"; fi 2>"$base/err" ); }
json() { python3 -c '
import json,sys
t=sys.stdin.read()
i=t.find("{")
try: j=json.loads(t[i:])
except Exception as e: print("not JSON:",t[:200],open(sys.argv[2]).read()[-200:]); sys.exit(1)
ok=eval(sys.argv[1],{"j":j,"text":"\n".join(c.get("text","") for c in j.get("content",[]) if isinstance(c,dict))})
print(t[:240]); sys.exit(0 if ok else 1)' "$1" "$base/err"; }
L=$(name list); R=$(name read); G=$(name grep); W=$(name write); E=$(name edit)

tests() { # $1 tag, $2 runner, rest: options before the command
  local tag=$1 run=$2 out; shift 2
  out=$($run "$@" "${cmd[@]}" --method tools/list | json "{'$L','$R','$G','$W','$E'} <= {t['name'] for t in j['tools']}") && ok "$tag.tools_list" "lists the five tools" || no "$tag.tools_list" "lists the five tools" "$out"
  out=$($run "$@" "${cmd[@]}" --method tools/call --tool-name "$R" --tool-arg "path=$(p a.txt)" | json "'alpha' in text and not j.get('isError')") && ok "$tag.read" "tools/call $R" || no "$tag.read" "tools/call $R" "$out"
  out=$($run "$@" "${cmd[@]}" --method tools/call --tool-name "$L" --tool-arg "path=$(p .)" | json "'a.txt' in text and not j.get('isError')") && ok "$tag.list" "tools/call $L" || no "$tag.list" "tools/call $L" "$out"
  out=$($run "$@" "${cmd[@]}" --method tools/call --tool-name "$G" --tool-arg "path=$(p .)" "pattern=needle" | json "not j.get('isError')") && ok "$tag.grep" "tools/call $G" || no "$tag.grep" "tools/call $G" "$out"
  out=$($run "$@" "${cmd[@]}" --method tools/call --tool-name "$W" --tool-arg "path=$(p sub/$tag.txt)" "content=hello from $tag" | json "not j.get('isError')") && [ "$(cat "$ws/sub/$tag.txt" 2>/dev/null)" = "hello from $tag" ] && ok "$tag.write" "tools/call $W" || no "$tag.write" "tools/call $W" "$out"
  if [ -z "$map" ]; then
    out=$($run "$@" "${cmd[@]}" --method tools/call --tool-name "$R" --tool-arg "path=a.txt" "limit=1" | json "'alpha' in text and 'gamma' not in text") && ok "$tag.read_limit" "a number given as key=value" || no "$tag.read_limit" "a number given as key=value (limit=1)" "$out"
  fi
  out=$($run "$@" "${cmd[@]}" --method tools/call --tool-name "$R" --tool-arg "path=$(p nope.txt)"); if printf %s "$out" | json "j.get('isError') is True" >/dev/null; then ok "$tag.read_missing" "a missing file is isError"; else no "$tag.read_missing" "a missing file is isError" "$out $(tail -c 200 "$base/err")"; fi
}
echo "# Inspector 0.15.0 on $(node -v)"
tests old old
if [ -n "$newnode" ]; then
  echo "# Inspector 2.12.0 on $("$newnode/node" -v)"
  tests new new
  new --protocol-era auto "${cmd[@]}" --method tools/list >/dev/null && ok new.era_auto "tools/list with --protocol-era auto" || no new.era_auto "tools/list with --protocol-era auto" "$(tail -c 300 "$base/err")"
  if [ "$profile" = ours ]; then
    new --protocol-era modern "${cmd[@]}" --method tools/list >/dev/null && ok new.era_modern "tools/list with --protocol-era modern (2026-07-28)" || no new.era_modern "tools/list with --protocol-era modern (2026-07-28)" "$(tail -c 300 "$base/err")"
    new --strict "${cmd[@]}" --method tools/list >/dev/null; rc=$?
    [ $rc = 0 ] && ok new.strict "no schema portability error (--strict)" || no new.strict "no schema portability error (--strict), rc $rc" "$(tail -c 600 "$base/err")"
    n=$(grep -ciE 'warn' "$base/err"); [ "$n" = 0 ] && ok new.strict_warnings "nor a warning" || no new.strict_warnings "nor a warning" "$(grep -iE -A2 warn "$base/err" | head -c 400)"
  fi
  out=$(new --load --load-requests 300 --load-concurrency 20 "${cmd[@]}" --method tools/call --tool-name "$R" --tool-arg "path=$(p a.txt)" --format json | tr -d '\n'); printf %s "$out" | grep -qE '"(errors|failed|errorCount)": *0\b|"errorRate": *0\b' && ok new.load "300 calls, 20 at a time: no error" || no new.load "300 calls, 20 at a time: no error" "$out $(tail -c 200 "$base/err")"
else
  echo "# Inspector 2.12.0 left out: needs Node >= 22.19 (set NODE22=<bin dir>; the npm package node@22 ships one)"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
