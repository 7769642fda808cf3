/* SPDX-License-Identifier: MIT */
/*
 * croft.h for Lua: views and sessions as userdata, results and errors as tables. The program and the
 * Lua module both use it; nothing below croft.h is known here.
 */
#ifndef CROFT_HOST_H
#define CROFT_HOST_H

#include <lua.h>

#include "bytes.h"
#include "croft.h"
#include "host_audit.h"
#include "host_gate.h"

/* A session that Lua owns, with the result of the call that is being handed over. */
struct host_session {
    croft_session *session; /* NULL once closed */
    lua_State *caller;      /* that makes a call now, by session:call */
    croft_result result;
    bool filled;           /* `result` is to be given back */
    struct bytes log;      /* what tools printed, where it does not go to stderr */
    struct bytes problems; /* of its tools, a line each */
    struct host_audit audit;
    bool has_audit;
    struct host_gate gate;
};

/*
 * Pushes a new table with
 *   open(root, options) -> view | nil, error      options: read_only, one_file_system, no_fsync,
 *                                                 resolver, read_only_names, exclude, mounts
 *                                                 (a list of {name, path, read_only}), hide; the error
 *                                                 also has `problems`, a list of sentences
 *   template(JSON or a table) -> template | nil, error   likewise
 *   disabled() -> view                            that of croft_view_disabled
 *   verify_links(checkout, options) -> true | nil, error
 *                                                 options: read_only_names; with the code "denied" the
 *                                                 error is also a list of at most 1000 {path, shown,
 *                                                 code, reason}, and has their `count`
 *   fill(from, to, options) -> copied | nil, error
 *   harvest(root, to, options) -> copied | nil, error
 *                                                 options: read_only_names, skip, no_fsync; `copied` has
 *                                                 the fields of croft_copied; both that and the error
 *                                                 list and count what was left out or refused, as above
 *   policy(files, session) -> see host_policy.h
 *   runner(view, limits or nil) -> runner | nil, why there is none
 *                                                 starts commands for the option `runner` of sessions;
 *                                                 limits: seconds, output, processes, memory
 *   version() -> string
 *   limits() -> list of {name=, value=}, in their order
 * and the methods
 *   view:session(options) -> session | nil, error  options: tools, prefix, limits, log="stderr",
 *                                                  audit (a file), trace (records are kept),
 *                                                  functions (a list of {name, description, run = a
 *                                                  function from JSON to JSON}), enable (a list of
 *                                                  names), leave_out_broken, and those of
 *                                                  host_gate_take; the error also has
 *                                                  `problems`, a list of sentences
 *   template:view(tenant or nil, options) -> view | nil, error    options as for open, but mounts and hide
 *   view:enabled() -> boolean; view:check_read(path), view:check_write(path) -> true | nil, error
 *   view:translate(path) -> the host's path, or nil; view:covered() -> list of names
 *   view:wrap_argv(workdir or nil, argv, options) -> argv | nil, error
 *                                                  lists of texts; that returned has `split` too;
 *                                                  options: program, version, seccomp_fd, status_fd,
 *                                                  tmp_bytes
 *   view:confine() -> wall | nil, error            a table with the fields of croft_wall
 *   view:resolver(), view:read_only_names(), view:close()
 *   session:call(name, json, answer, id) -> result  json may be left out; answer as in host_gate.h; id, a number,
 *                                                  names the call for croft_cancel
 *   session:tools() -> JSON, session:log() -> text since the last time, session:close()
 *   session:problems() -> those with leave_out_broken; session:report() -> JSON
 *   session:read_only_names() -> as the view's, and those of tool sets
 *   session:usage() -> the fields of croft_usage
 *   session:trace() -> the records since the last time, as lines of JSON, of the first megabyte
 * An error is a table {code, message, errno, at, detail}; a result one of the fields of croft_result,
 * with outcome "done", "failed", "ended", "called_off", "needs_input" (with `question`), or "refused" where
 * nothing ran.
 */
void host_push(lua_State *L);

/* Leaves nil and a table that tells what went wrong; returns 2. */
int host_push_error(lua_State *L, croft_status status, const croft_error *err);

/* Opens a session for the options; the door by which it is done. */
typedef croft_status host_door(void *user, croft_view *view, const croft_session_options *options,
                               croft_session **session, croft_error *err);

/* As view:session(options), with the view at index 1 and the options at 2; leaves what that returns. */
int host_open_session(lua_State *L, host_door *door, void *user);

/* Pushes the result of a call, as session:call gives it. */
void host_push_result(lua_State *L, croft_status status, const croft_result *result);

/* The open view at index 1; raises when there is none. */
const croft_view *host_check_view(lua_State *L);

/* Which directory the root of that view is. */
const struct stat *host_view_root(lua_State *L);

/* The word for what came of a call: "done", "failed", "ended", "called_off" or "refused". */
const char *host_outcome(croft_status status, const croft_result *result);

/* The open session at `index`; raises when there is none. */
struct host_session *host_check_session(lua_State *L, int index);

#endif
