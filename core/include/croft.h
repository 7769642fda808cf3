/* SPDX-License-Identifier: MIT */
/*
 * croft: tools for a language model over exactly the files it may see.
 *
 *   view     what may be seen and changed: a root and what is mounted in it, opened once, immutable
 *            afterwards
 *   session  tools over a view: the five built in and any Lua files of yours
 *   call     one use of one tool: JSON in, text out
 *
 *     croft_view *view;
 *     croft_session *session;
 *     croft_result result;
 *     croft_error err;
 *
 *     if (croft_view_open("/srv/work", NULL, &view, &err) != CROFT_OK ||
 *         croft_session_open(view, NULL, &session, &err) != CROFT_OK)
 *         return complain(err.message);
 *     croft_call(session, "read", "{\"path\":\"notes.md\"}", 19, NULL, &result);
 *     fwrite(result.text, 1, result.text_size, stdout);
 *     croft_result_free(&result);
 *     croft_session_close(session);
 *     croft_view_close(view);
 *
 * Structures of options start with their own size; the _init function of each fills in the defaults.
 * NULL in place of a structure of options means the defaults. What options point to is copied, or read
 * before the function returns; callbacks and their `user` must live as long as the session.
 *
 * Strings are UTF-8 and end in NUL unless a size stands beside them. Strings that are returned are the
 * library's: nobody else frees or changes them.
 *
 * Errors: a function that can fail returns a croft_status, CROFT_OK for none, and describes the failure in
 * *err, which may be NULL. What it would have given is not given then. CROFT_INTERNAL with ENOMEM, out of
 * memory, can come of each of them, and CROFT_EXHAUSTED of each that opens files; they are not said again
 * below. A NULL where nothing says that it is fine is a fault of the caller.
 *
 * Threads: every function may be called by any thread, several at once, on the same view or session too.
 * Closing is the exception: when a session is closed, nobody may be using it. A thread that calls
 * croft_call needs 1 MiB of stack. A child of fork(2) must not use what its parent opened, nor croft_call.
 *
 * Nothing here prints, changes signals, the locale, the umask or the working directory, or ends the process,
 * but for lua-cjson when the machine has no memory left. A host need not do anything about signals: a write over
 * RLIMIT_FSIZE is CROFT_NO_SPACE, and its SIGXFSZ, which is held back from the thread for as long as the write
 * takes, reaches nobody; and nothing here writes to a pipe or a socket, so that no SIGPIPE comes of it.
 */
#ifndef CROFT_H
#define CROFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CROFT_API __attribute__((visibility("default")))
#else
#define CROFT_API
#endif

/* What can go wrong: one closed set, the same words in C, in Lua and in structured results. */
typedef enum croft_status {
    CROFT_OK,
    CROFT_MISSING,         /* does not exist */
    CROFT_OUTSIDE,         /* absolute, climbs above the root, or a link leaves it */
    CROFT_READ_ONLY,       /* a read-only name, or where one leads; or all is read-only */
    CROFT_LOOP,            /* more than 40 links */
    CROFT_CROSSES_MOUNT,   /* lies on another file system, and the view keeps to its own */
    CROFT_NOT_A_FILE,      /* a directory where a file is wanted */
    CROFT_NOT_A_DIRECTORY, /* a file where a directory is wanted */
    CROFT_NOT_REGULAR,     /* a FIFO, a socket, a device */
    CROFT_ALREADY_EXISTS,
    CROFT_TOO_LARGE,        /* over a ceiling in bytes */
    CROFT_TOO_MANY,         /* over a ceiling in number */
    CROFT_CHANGED,          /* changed or removed by somebody else meanwhile */
    CROFT_GONE,             /* the workspace itself was removed */
    CROFT_OWNER,            /* replacing the file would change its owner */
    CROFT_DENIED,           /* a policy or a mask refuses */
    CROFT_GATE_UNAVAILABLE, /* a gate gave no valid verdict */
    CROFT_BAD_ARGUMENT,
    CROFT_BAD_PATTERN,
    CROFT_NO_MATCH,
    CROFT_AMBIGUOUS,
    CROFT_UNREADABLE, /* no permission */
    CROFT_BUSY,
    CROFT_NO_SPACE,  /* the disk or a quota is full, or the host lets no file be as large */
    CROFT_EXHAUSTED, /* the host has no descriptor or no memory left just now */
    CROFT_IO,
    CROFT_STOPPED, /* a ceiling of the call: steps, memory or time */
    CROFT_CANCELLED,
    CROFT_INTERNAL,
    CROFT_UNKNOWN_TOOL, /* croft_call only: nothing ran */
    CROFT_BAD_JSON      /* croft_call only: the arguments are not a JSON object; nothing ran */
} croft_status;

/* The word for a status as Lua code and structured results have it: "missing", "outside", ..., "" for
 * CROFT_OK; "internal" for what is no status. A constant. */
CROFT_API const char *croft_status_word(croft_status status);

/* What went wrong. The caller's memory; written only on failure; nothing in it is to be freed. It never holds
 * a path of the host's, unless that was an option or an argument of the call that failed. */
typedef struct croft_error {
    croft_status kind;
    int sys_errno; /* of the system call that failed, 0 where none did */
    /* Index of the component of the path at fault, counted from 0. Of CROFT_READ_ONLY instead 0 where the path
     * begins with the read-only name, and more where it is protected by where it leads. */
    unsigned at;
    char detail[72]; /* the read-only name that refused, which of its kind it is, or "" */
    char
        message[1024]; /* for a host or its log: lower case, no full stop; may have several lines */
} croft_error;

typedef struct croft_view croft_view;
typedef struct croft_session croft_session;

/* ---- view -------------------------------------------------------------------------------------- */

typedef enum croft_resolver {
    CROFT_RESOLVER_AUTO, /* openat2 where the kernel has it, the walk elsewhere */
    CROFT_RESOLVER_WALK  /* the walk always (also chosen by the environment: CROFT_RESOLVER=walk) */
} croft_resolver;

/* A directory of the host that the model sees under a name of its own. It covers what the root has there. */
typedef struct croft_mount {
    const char *name; /* relative to the root, "lib" or "vendor/lib"; no "." or ".." */
    const char *path; /* of the host */
    bool read_only;
} croft_mount;

/* Told of one thing that is wrong with the files of tool_dirs, or with a view: a sentence with what it is
 * about. Valid during the call. */
typedef void croft_problem_function(void *user, const char *text);

typedef struct croft_view_options {
    size_t size;
    bool read_only;          /* nothing may be changed (default false) */
    bool one_file_system;    /* mounts below the root are not entered (default false) */
    bool no_fsync;           /* a write may be lost in a power cut (default false) */
    croft_resolver resolver; /* default CROFT_RESOLVER_AUTO */
    const char *const
        *read_only_names;       /* top-level names that cannot be changed; default skills, */
    size_t read_only_count;     /* docs, templates and context */
    const char *const *exclude; /* globs that list and grep leave out (and count); default none */
    size_t exclude_count;
    const croft_mount *mounts; /* for croft_view_open alone; default none */
    size_t mount_count;
    const char *const
        *hide;         /* paths of the host that nobody sees, whether they exist or not, with all */
    size_t hide_count; /* below them; for croft_view_open alone; default none */
    croft_problem_function *problem; /* told of all that is wrong with the mounts, or the template;
                                      * default none */
    void *problem_user;
} croft_view_options;

CROFT_API void croft_view_options_init(croft_view_options *options);

/*
 * Opens the directory `root`, a path of the host's, and gives the view to the caller, who closes it. Links in
 * `root` itself are followed once, here; a later change of them has no effect, nor has moving the directory.
 * A view holds a descriptor, one for each read-only name that leads to a directory, and up to 64 for mounts, of
 * which there may be more: they are opened when they are needed, and must then be the directories that they were.
 *
 * Of a read-only name these are refused, by whatever path: to change the name itself, whether it exists or not;
 * to change what lies in the directory that it led to now, wherever that is moved later; and, where it is a link
 * when the call is made, to change what it leads to then, or to move or remove what that leads through. The
 * look at the link comes before the change and not in one with it: a link that another process makes between the
 * two counts from the next call on.
 *
 *   CROFT_MISSING, CROFT_NOT_A_DIRECTORY, CROFT_UNREADABLE, CROFT_LOOP, CROFT_IO   as open(2) has it
 *   CROFT_NOT_REGULAR     it lies on procfs or its kin
 *   CROFT_CROSSES_MOUNT   the kernel does not tell mounts apart, and one_file_system is wanted
 *   CROFT_BAD_ARGUMENT    a read-only name that is not one name, a glob that does not parse, mounts that
 *                         contradict one another or do not exist: all that is wrong with them, a line each
 *   CROFT_TOO_MANY        more than 64 read-only names
 */
CROFT_API croft_status croft_view_open(const char *root, const croft_view_options *options,
                                       croft_view **view, croft_error *err);

/*
 * A template is a configuration of views, read once: which directory of the host is the root of a tenant,
 * and what else it sees. It is JSON, with these keys and no others; paths are absolute, and
 * `{tenant}` in one stands for the tenant:
 *
 *   root          what the model sees as "." and may change; TENANTS/{tenant} where it is left out
 *   tenants       the directory of all tenants: nobody sees the others in it
 *   global        what all may read, seen as "global/"
 *   secret_files  paths below `global` that nobody sees
 *   hide          paths that nobody sees, whether they exist or not, with all below them
 *   maps          [{"src": DIR, "dst": NAME, "mode": "ro" or "rw"}]: DIR, seen as NAME/; "ro" by default
 *   ro_binds, rw_binds    what a subprocess sees besides, each under its own path
 *   system_binds, env, net    of a subprocess: directories of the system, names of variables, and "none"
 *                             (the default) or "host"
 *
 * All that is wrong is told at once, to `problem` (may be NULL) and in err->message: where there is no
 * `{tenant}`, what does not fit the host too. Fails with CROFT_BAD_ARGUMENT then. May be used by any number
 * of threads at once.
 */
typedef struct croft_template croft_template;

CROFT_API croft_status croft_template_parse(const char *json, size_t size,
                                            croft_problem_function *problem, void *user,
                                            croft_template **parsed, croft_error *err);
CROFT_API void croft_template_free(croft_template *parsed); /* NULL is fine */

/*
 * Makes the view of a tenant, one component of a path, by looking at the host anew: nothing is kept between
 * two of them. NULL is for a template without `{tenant}`. `options` are as for croft_view_open, but for the
 * mounts and what is hidden, which the template has. Nothing is repaired or left out: it fails with
 *
 *   CROFT_BAD_ARGUMENT   the tenant is none, something does not exist, or the trees contradict one another: a
 *                        tree lies in what is hidden, or where the tenant can write; the tenant's directory
 *                        is a link to another's; ... All of it, as in croft_template_parse
 *   as croft_view_open   what cannot be opened
 */
CROFT_API croft_status croft_view_for(const croft_template *parsed, const char *tenant,
                                      const croft_view_options *options, croft_view **view,
                                      croft_error *err);

/* A view that holds nobody to anything: the checks below allow all, and croft_translate leaves all as it is.
 * For a host that is to work with and without views; no session can be opened over it. */
CROFT_API croft_status croft_view_disabled(croft_view **view, croft_error *err);

/* False for such a view alone. */
CROFT_API bool croft_enabled(const croft_view *view);

/*
 * Whether a host may let somebody read, or write, what is at `path`: an absolute path of the host's in the
 * root, `global` or a bind, or a path as a subprocess has it ("/workspace/a", "/global/b", "/NAME/c"). What
 * does not exist is judged by where it would be. CROFT_DENIED, whatever the reason, when it may not.
 *
 * That holds for the moment of the check: links may change before the host opens the path. The tools of
 * a session do not rely on it; they open below directories that are held.
 */
CROFT_API croft_status croft_check_read(const croft_view *view, const char *path, croft_error *err);
CROFT_API croft_status croft_check_write(const croft_view *view, const char *path,
                                         croft_error *err);

/* Copies up to `count` of the names of mounts under which the root has something itself, which nobody sees, into
 * `names`, which may be NULL for a `count` of 0, and returns how many there are. The strings live as long as
 * the view. */
CROFT_API size_t croft_view_covered(const croft_view *view, const char **names, size_t count);

/* Whether the host's file `path`, which need not exist yet, lies in one of the trees of the view: a log of what
 * its tools do should not. */
CROFT_API bool croft_view_holds(const croft_view *view, const char *path);

/* Writes the host's path behind one as a subprocess has it into `out`, with a NUL behind it; the longest
 * name wins. False, and nothing written, where `path` is to be used as it is, or `size` is too small.
 * croft_check_read and its like take the path as it was before. */
CROFT_API bool croft_translate(const croft_view *view, const char *path, char *out, size_t size);

/* Gives the view back; sessions over it keep what they need of it, and may be used on. NULL is fine. */
CROFT_API void croft_view_close(croft_view *view);

/* Copies up to `count` of the read-only names, those of read-only mounts among them, into `names`, which may be NULL for a `count` of 0, and returns
 * how many there are (S0-47). The strings live as long as the view. */
CROFT_API size_t croft_read_only_names(const croft_view *view, const char **names, size_t count);

/* How the view resolves paths: "openat2" or "walk". A constant. */
CROFT_API const char *croft_view_resolver(const croft_view *view);

/* ---- wall -------------------------------------------------------------------------------------- */

/* What holds the thread that was confined. */
typedef struct croft_wall {
    bool no_new_privileges; /* no program that it starts gets rights that it has not itself */
    int landlock;           /* the version of Landlock that the kernel has; 0: none holds it */
    bool network;           /* no TCP connection can be made or awaited (from version 4 on) */
    bool scopes;            /* no signal or abstract socket reaches another program (from 6 on) */
} croft_wall;

/*
 * Puts the calling thread behind a second wall, the kernel's Landlock: from here on it can open what
 * lies below the root of `view` or in one of its mounts, and nothing else, whatever fault there may be in this library. Below
 * the root it can read, and unless the view is read-only write, create, move and remove files,
 * directories and symbolic links; never start a program, truncate a file in place, or make or move a
 * FIFO, a socket or a device. All else that the calls of this library do still works (Landlock's first
 * version, Linux 5.13 to 5.18, refuses moves between directories).
 *
 * It cannot be undone, and holds this thread and the threads and processes that it starts afterwards,
 * not those that are there: call it before other threads are started, or in a thread that does nothing
 * but make calls. A second call, for another view, leaves what both allow: nothing, as a rule. The
 * library never calls it by itself. What is needed later is to be opened before: sessions too, as they
 * read the directories of tools once, when they are opened.
 *
 * It does not hold: descriptors that are open already; looking at, changing the mode, owner or times of
 * what lies outside by its path (which this library never does); read-only trees inside the root, as a
 * rule for the root is one for all of it; nor what a fault in memory safety could do with all that.
 *
 * Fills *wall, unless it is NULL, also on failure. Fails with CROFT_DENIED when the kernel has no
 * Landlock or refuses it: err->message says why, and the thread is not confined, though what *wall says
 * holds.
 */
CROFT_API croft_status croft_confine(const croft_view *view, croft_wall *wall, croft_error *err);

/* ---- gate -------------------------------------------------------------------------------------- */

typedef enum croft_effect {
    CROFT_READS,
    CROFT_WRITES,
    CROFT_SEARCHES /* reads, wherever a pattern of the model's leads */
} croft_effect;

/* A call that may not run before somebody said so. Valid during the callback, or as long as the result that
 * holds it. Nothing was looked at to make it: no path in it need exist. */
typedef struct croft_gate_request {
    uint64_t id;      /* of the question: never 0, and never given again in a session */
    uint64_t call_id; /* of croft_call_options */
    const char *tool; /* as it was asked for */
    const char *args; /* as they were given: a JSON object */
    size_t args_size;
    croft_effect effect;
    const char *const *paths; /* that it names: cleaned, relative to the root, "." for the root */
    size_t path_count;
    uint64_t content_size;      /* of what a call that writes sent */
    const char *content_sha256; /* and its SHA-256 in hexadecimal digits; NULL unless it writes */
    const char *digest;         /* SHA-256 of {"args":...,"tool":...} in canonical JSON */
    const char *why;            /* of the rules that ask, or "" */
    uint64_t deadline;          /* microseconds since 1970: a later verdict is none */
    uint64_t milliseconds;      /* that are left until then */
} croft_gate_request;

typedef enum croft_decision {
    CROFT_UNDECIDED, /* there is no verdict: the call is refused */
    CROFT_ALLOW,
    CROFT_DENY
} croft_decision;

typedef enum croft_scope {
    CROFT_ONCE,
    CROFT_SESSION /* calls that read or write the same paths with the same tool are not asked for again; of
                   * searches, and where no path is named or a rule looks at the arguments: the same call */
} croft_scope;

/* Why there is no verdict. */
typedef enum croft_undecided {
    CROFT_UNDECIDED_ERROR,      /* whoever decides failed */
    CROFT_UNDECIDED_TIMEOUT,    /* nobody answered in time */
    CROFT_UNDECIDED_NO_DECIDER, /* nobody can be asked */
    CROFT_UNDECIDED_CANCELLED,  /* the question was closed without an answer */
    CROFT_UNDECIDED_TOO_MANY    /* as many questions are open as there may be: it was not asked */
} croft_undecided;

typedef struct croft_verdict {
    croft_decision decision;
    croft_scope scope;     /* of CROFT_ALLOW */
    croft_undecided cause; /* of CROFT_UNDECIDED */
    char note[1024];       /* for the model, where the call is refused; UTF-8, "" for none */
} croft_verdict;

/*
 * Asked before a call of a tool begins, by the thread that makes it; of several calls at once by several
 * threads. It fills in *verdict, which is CROFT_UNDECIDED before: what it leaves so, what comes after the
 * deadline, and a value that is none of the above refuse the call with the code "gate_unavailable". An
 * approval is good for one call with these very arguments, once. It may take its time: the call's own has
 * not begun, no interpreter waits, and other calls go on. It must return, and call nothing of the same
 * session but croft_cancel.
 */
typedef void croft_gate_function(void *user, const croft_gate_request *request,
                                 croft_verdict *verdict);

/* Told by croft_cancel that nobody waits for the answer to that question any more. The gate may have
 * answered already. It must return, and call nothing of the same session. */
typedef void croft_withdraw_function(void *user, uint64_t request_id);

typedef enum croft_gate_kind {
    CROFT_GATE_NONE, /* no call is asked for, unless `gate` is there, or the decider of `policies`
                             * is "policy", "allow" or "deny" */
    CROFT_GATE_CALLBACK,    /* `gate` decides */
    CROFT_GATE_NEEDS_INPUT, /* croft_call returns with the question, CROFT_NEEDS_INPUT */
    CROFT_GATE_ALLOW, /* what would be asked for is allowed; records and log say so each time */
    CROFT_GATE_DENY,  /* what would be asked for is refused */
    CROFT_GATE_POLICY /* the rules of `policies` alone: the same */
} croft_gate_kind;

/* ---- session ----------------------------------------------------------------------------------- */

/* One limit by name: croft_limit_defaults has them all. Sizes in bytes, time in milliseconds. */
typedef struct croft_limit {
    const char *name;
    uint64_t value;
} croft_limit;

/* Told what tools print, at most 16 KiB a call, and what went wrong inside them, by the thread that makes the
 * call or opens the session. `text` has no newline at its end, may have some inside, and is valid during the
 * callback. It must return, and call nothing of the same session. */
typedef void croft_log_function(void *user, const char *text, size_t size);

/* One thing that a call did, or was refused to do; never what stands in a file. All that it points to is
 * valid during the callback. */
typedef struct croft_record {
    uint64_t time;    /* when it began: microseconds since 1970, UTC */
    uint64_t call_id; /* of croft_call_options; where that is 0, how many such calls there were */
    const char *tool; /* as it was asked for */
    const char *operation; /* see below */
    const char *path;      /* as the tool spelled it, any bytes, at most 4095 of them; NULL: none */
    size_t path_size;
    const char *resolved; /* where that led, relative to the root, "" for the root itself; NULL:
                           * unknown. Of a rename that was done: where it went */
    size_t resolved_size;
    const char *verdict; /* "ok", or croft_status_word() of the error */
    const char *rule; /* which read-only name, kind of link, kind of file, or limit it was; or "" */
    uint64_t bytes;   /* that it gave to the tool or wrote; of the arguments, of the result */
    uint64_t microseconds; /* that it took */
    /* of "question" and "verdict" alone, otherwise NULL */
    const char
        *decider; /* who decides: "policy", "session" for an earlier approval, "allow", "deny", or
                          * croft_session_options.decider */
    const char *digest; /* as in croft_gate_request */
    const char *note;   /* of the verdict; NULL for none */
} croft_record;

/*
 * Told of each call as it runs, by the thread that makes it; of several calls at once by several
 * threads. The operations are
 *
 *   call     the call may begin; nothing of it has run yet
 *   question   somebody is asked whether it may; `path` is the first one that it names
 *   verdict  what was decided: "ok", "denied", "gate_unavailable" or "cancelled"; `rule` says why: the rule
 *            of a policy, "default", "once", "session", "declined", "timeout", "error", "no_decider"...
 *   stat  read  load  page  list  walk  search  replace  write  open  mkdir  remove  rename
 *            the primitive of that name has ended, well or not; a limit that ended it is recorded too
 *   artifact_open  media_stage
 *   artifact_page  artifact_search  artifact_json  artifact_outline  artifact_info  artifact_list
 *   media_load  media_derive  media_describe  media_save
 *            the same of what the session holds; but for the first two, `path` is a handle then, and
 *            `resolved` the file that it is of, or that was written
 *   host     a function of the host has replied; `path` is its name
 *   file     what was read by a handle that `open` gave: when it is closed, or the call ends
 *   end      the call has ended
 *
 * False says that the record could not be kept. The call then ends at once, CROFT_FAILED with the code
 * "denied" and a sentence for the model: nothing of it has run if it was the record `call`, and what it had
 * written before stays otherwise. The next call asks again. It must return, and call nothing of the same
 * session.
 */
typedef bool croft_audit_function(void *user, const croft_record *record);

/* What a function of the host replies with: valid while the function runs. */
typedef struct croft_reply croft_reply;

/*
 * A function of the host, called by a tool. `json` is what the tool passed, `size` bytes of one JSON value
 * nested at most 64 deep (a NUL stands behind them), valid until the function returns. It gives its reply
 * once, by croft_reply_json or croft_reply_error; of several the last counts.
 *
 * It runs in the thread that makes the call, several at once in several threads, so what it shares needs
 * a lock of the host's. It must return: no exception and no longjmp may leave it. No limit ends it; the
 * time that it takes is the call's, and is looked at when it returns. Of the session that calls it, it may
 * use croft_cancel, croft_session_tools, croft_session_keep and croft_session_usage, and nothing else: a call would wait for
 * itself.
 */
typedef void croft_host_function(void *user, const char *json, size_t size, croft_reply *reply);

/* Whether the call that the function serves has been called off, by croft_cancel or with the session: what the
 * function replies reaches nobody then, and it should return soon. Any thread, while the function runs. */
CROFT_API bool croft_reply_is_cancelled(const croft_reply *reply);

/* Says that the function keeps to a time limit of its own: what it takes until it returns is not the call's. */
CROFT_API void croft_reply_takes_time(croft_reply *reply);

/* Tools call it as ctx.host.NAME(value), whatever their `access`: what it changes is the host's affair. */
typedef struct croft_function {
    const char *name;        /* 1 to 64 letters, digits and _, no digit first; no word of Lua */
    const char *description; /* one line for an author of tools, at most 1024 bytes; NULL: none */
    croft_host_function *callback;
    void *user;
} croft_function;

/* Replies one JSON value of `size` bytes, which are copied. It is checked before the tool gets it: strict
 * JSON (RFC 8259), UTF-8, nested at most 64 deep, at most 8 MiB, no half of a surrogate pair. What is not
 * all that is an error of the tool with the code "internal"; the log says why. */
CROFT_API void croft_reply_json(croft_reply *reply, const char *json, size_t size);

/*
 * Raises an error in the tool, which can catch it with pcall: a table with `code`, the croft_status_word()
 * of `code`, `detail`, the name of the function, and `text`, the message. Where it does not, the call
 * fails with that code, and the model reads the message: say what is so and what to send instead. At most
 * 4096 bytes of it are kept. With CROFT_INTERNAL the message is for the log, and the model is told that
 * the tool failed; CROFT_OK and the kinds from CROFT_STOPPED on are taken for it.
 */
CROFT_API void croft_reply_error(croft_reply *reply, croft_status code, const char *message);

typedef struct croft_session_options {
    size_t size;
    const char *const *tool_dirs; /* directories with *.lua files, one tool each (*_spec.lua are
                                   * left out); default none */
    size_t tool_dir_count;
    const char *prefix;        /* put before every tool's name; default "" */
    const croft_limit *limits; /* those that differ from their defaults */
    size_t limit_count;
    croft_log_function *log; /* default none */
    void *log_user;
    croft_audit_function *audit; /* default none */
    void *audit_user;
    const croft_function *functions; /* of the host, for tools; copied; default none */
    size_t function_count;
    const char *const
        *enable;         /* tools of croft's own that are off otherwise: "apply_patch", "move", */
    size_t enable_count; /* "remove", "run" and "stat"; default none */
    croft_problem_function
        *problem; /* told of all that is wrong with tool_dirs, also of what err->message
                                      * has no room for; default none */
    void *problem_user;
    const char
        *toolset; /* croft's own tools that are offered: "workspace" (the default) or "staged" */
    const char
        *write_root; /* relative to the root: what is staged is saved below it; default "." */
    const char
        *trust_tier; /* that tools of the staged set give to what they show; default "untrusted" */
    bool
        leave_out_broken; /* such tools are left out, and the session is opened all the same, but not
                            * where a toolset.lua is at fault, or a directory cannot be read: what it
                            * restricts is not known then; default false */
    croft_gate_kind gate_kind; /* default CROFT_GATE_NONE */
    croft_gate_function *gate; /* makes CROFT_GATE_NONE CROFT_GATE_CALLBACK; default none */
    croft_withdraw_function *gate_withdraw; /* default none */
    void *gate_user;
    const char *decider;        /* what records call whoever answers questions; default "host" */
    uint64_t gate_milliseconds; /* that a question waits; default what `policies` say, or 120 000 */
    const char *const
        *policies; /* files with rules about calls: see croft_policy_open; default none,
                                  * which asks for all */
    size_t policy_count;
} croft_session_options;

CROFT_API void croft_session_options_init(croft_session_options *options);

/*
 * Makes a session over `view`: loads every tool once and checks its schema. Where there are none but croft's
 * own, they are loaded when the first is called or croft_session_tools asked.
 *
 * A directory of tools may hold a manifest, toolset.lua, which hides built-in tools, sets limits (those of
 * `options` come first), adds read-only names, and replaces messages; and messages.lua, which does the last
 * alone. What is wrong with any of these files fails here with CROFT_BAD_ARGUMENT: all of it, a sentence with
 * file, line and reason on a line of err->message each, as far as there is room (`problem` is told of the
 * rest), and CROFT_STOPPED where loading a file took more than it may.
 */
CROFT_API croft_status croft_session_open(croft_view *view, const croft_session_options *options,
                                          croft_session **session, croft_error *err);

/* ---- policy ------------------------------------------------------------------------------------ */

typedef struct croft_policy croft_policy;

/*
 * Loads policy files, as a session does: rules that allow, ask for or deny calls, of which the strictest that
 * matches decides, and a default where none does. The first file is the operator's, the others can only
 * narrow it. A rule meets the path as it is spelled, before anybody is asked, and, when the call runs, where
 * that leads and each entry of a listing or search: what is denied is not there.
 *
 * Each file has to be one that its owner, this process's user or root, alone can write, and no link.
 * `session` (may be NULL) is one whose tools rules may name besides croft's own, and in whose root no file
 * may lie. All that is wrong is CROFT_BAD_ARGUMENT, a sentence a line in err->message as far as there is
 * room; `problem` (may be NULL) is told of each.
 */
CROFT_API croft_status croft_policy_open(croft_session *session, const char *const *files,
                                         size_t count, croft_problem_function *problem, void *user,
                                         croft_policy **policy, croft_error *err);
CROFT_API void croft_policy_close(croft_policy *policy); /* NULL is fine */

/* Who decides, as the operator's file has it: "elicit", "tty", "host", "policy", "allow", "deny", or "".
 * As long as the policy. */
CROFT_API const char *croft_policy_decider(const croft_policy *policy);

/* Its rules; how many there are, and how long a question waits: 0 where it does not say. */
CROFT_API size_t croft_policy_rules(const croft_policy *policy);
CROFT_API uint64_t croft_policy_milliseconds(const croft_policy *policy);

/*
 * What the rules say of a call of `tool` (without prefix) with the JSON object `args`. Gives *text, a JSON
 * object, which the caller frees with free(3): {"tool","verdict","default","paths":[{"path","verdict",
 * "by":"rule" or "default","rules":[{"decision","file","line","glob","why","decides"}]}]}. Nothing is looked
 * at. CROFT_UNKNOWN_TOOL, CROFT_BAD_JSON, and as for a path where an argument names none.
 */
CROFT_API croft_status croft_policy_explain(const croft_policy *policy, const char *tool,
                                            const char *args, size_t size, char **text,
                                            croft_error *err);

/* Gives the session back with all that it gave: no call may be running or begin. Staged content that was
 * never saved is lost; `log` is told of it. NULL is fine. */
CROFT_API void croft_session_close(croft_session *session);

/* As croft_read_only_names, with those that tool sets add. The strings live as long as the session. */
CROFT_API size_t croft_session_read_only_names(const croft_session *session, const char **names,
                                               size_t count);

/* The tools as a JSON array, sorted by name: {"name","title","description","inputSchema",
 * "annotations"} each. Constant bytes; lives as long as the session. */
CROFT_API const char *croft_session_tools(croft_session *session);

/* One thing that is limited: what the call that ended last took, what the one took that took most so far,
 * and the limit. */
typedef struct croft_gauge {
    uint64_t last, most, limit;
} croft_gauge;

/* What the calls of a session have taken. */
typedef struct croft_usage {
    croft_gauge steps;             /* of one call */
    croft_gauge heap;              /* bytes of one interpreter: behind the call, and at any time */
    croft_gauge calls;             /* at once: `last` is now; those over the limit wait */
    uint64_t calls_ended;          /* so far, in whatever way */
    uint64_t interpreters_made;    /* so far */
    uint64_t interpreters_trapped; /* of those, thrown away, ended or left full by a call */
} croft_usage;

/* Fills *usage, which is the caller's. Any thread, also while calls run. */
CROFT_API void croft_session_usage(croft_session *session, croft_usage *usage);

/*
 * How many interpreters the session keeps while nobody calls: one, where this was never said (0 is taken for 1).
 * Each holds about 200 KiB, and one more is made, in about 0.3 ms, when a call finds all others at work. A host
 * whose calls often overlap keeps as many as run at once, and says 1 when it expects none for a while: what is
 * over goes at once. Any thread, also while calls run.
 */
CROFT_API void croft_session_keep(croft_session *session, size_t interpreters);

/*
 * Lends croft the signal `number` for as long as the process runs; best a real-time signal, SIGRTMIN + n, that
 * nothing else uses. With it the time limit, and croft_cancel, also end a call within one instruction of Lua: it may
 * take seconds, once a tool has made the keys of a large table collide. Without it such a call ends when that
 * instruction does. The program `croft` lends itself one.
 *
 * The signal then comes every 20 ms to a thread that makes a call in which Lua asked for 128 KiB at once, until that call
 * returns; the thread must not block it meanwhile, and does not after its first one. System calls of host functions
 * in such a call may return EINTR. Once for all sessions; any thread, before the first call.
 *
 *   CROFT_BAD_ARGUMENT   there is no such signal, it cannot be handled, or the process handles it already
 */
CROFT_API croft_status croft_lend_signal(int number, croft_error *err);

/* The names of all limits with their defaults, ended by one whose name is NULL. Constants. */
CROFT_API const croft_limit *croft_limit_defaults(void);

/* ---- call -------------------------------------------------------------------------------------- */

/* Called by the thread that makes the call, at most five times a second and never in the first half
 * second, while a tool walks or searches: `done` entries have been looked at; it always rises. It must
 * return, and call nothing of the same session. */
typedef void croft_progress_function(void *user, uint64_t done);

/* What was decided about a call that ended CROFT_NEEDS_INPUT, for making it again. An answer is good once,
 * until the deadline, and for a call of the same tool with the same arguments; otherwise that call is
 * refused. */
typedef struct croft_answer {
    uint64_t request_id; /* of croft_gate_request */
    croft_verdict verdict;
} croft_answer;

typedef struct croft_call_options {
    size_t size;
    uint64_t call_id; /* names the call for croft_cancel; 0 (the default): it cannot be cancelled */
    croft_progress_function *progress; /* default none */
    void *progress_user;
    const croft_answer *answer; /* to the question of an earlier result; default none */
} croft_call_options;

CROFT_API void croft_call_options_init(croft_call_options *options);

typedef enum croft_outcome {
    CROFT_DONE,
    CROFT_FAILED,     /* a tool error: `text` says what to do */
    CROFT_ENDED,      /* a ceiling stopped it: `text` says which */
    CROFT_CALLED_OFF, /* by croft_cancel; `text` is empty */
    CROFT_NEEDS_INPUT /* nothing ran: `question` is to be answered, and the call made again with that */
} croft_outcome;

typedef struct croft_result {
    croft_outcome outcome;
    bool is_error;          /* everything but CROFT_DONE */
    const char *code;       /* croft_status_word() of the error, "" when done */
    const char *text;       /* what the model reads: valid UTF-8, at most 32 768 bytes */
    size_t text_size;       /* a NUL stands behind it */
    const char *structured; /* JSON, where the tool returned a table; otherwise NULL */
    size_t structured_size;
    uint64_t steps;      /* spent by the call */
    uint64_t heap_bytes; /* of the interpreter after it */
    uint64_t microseconds;
    void *owned;                        /* private */
    const croft_gate_request *question; /* of CROFT_NEEDS_INPUT; otherwise NULL */
} croft_result;

/*
 * Calls the tool `name` with the JSON object `args` (`size` bytes of UTF-8; 0 bytes mean {}),
 * and returns when it has ended. Waits while as many calls run as the limit `calls` lets.
 *
 * Fills *result, whatever it returns; the caller gives it back with croft_result_free(), and what it
 * points to lives until then. A tool that refuses, fails or is stopped is still CROFT_OK, with
 * result->is_error set and a text for the model. Otherwise nothing ran:
 *
 *   CROFT_UNKNOWN_TOOL   there is no such tool; the text names those that there are
 *   CROFT_BAD_JSON       `args` is no JSON object; the text says so
 *   CROFT_INTERNAL       out of memory; there is no text, and all pointers are NULL
 */
CROFT_API croft_status croft_call(croft_session *session, const char *name, const char *args,
                                  size_t size, const croft_call_options *options,
                                  croft_result *result);

/* Gives back what croft_call filled in, and makes it all zero; again does nothing. */
CROFT_API void croft_result_free(croft_result *result);

/*
 * What there is to say of the tools in tool_dirs though they could be loaded, as `croft check` prints it.
 * Fills *result as croft_call does; its text, which may be long, is a JSON object:
 *
 *   tools      {"name","file","access","examples"} each; the last is how many it has
 *   findings   {"file","place","tool","fault","text"} each: a fault would mislead a model, the others may be
 *              meant; the place is the file with a line, as text to be put in front: "set/tool.lua:12: "
 *   examples   {"tool","own_name","file","place","where","args","files","expect","contains","error","after"}:
 *              a call to be made, with `args` as JSON in a string, in a root that holds `files`
 *   names, arguments   of all tools
 */
CROFT_API croft_status croft_session_report(croft_session *session, croft_result *result);

/*
 * The handles that the session holds, the oldest first: files that were opened to be looked at, and media,
 * which are staged. Fills *result as croft_call does; its text is a JSON array of
 *
 *   {"handle","kind","path","bytes"}        kind: "text", "json", "markdown" or "media"; a medium also has
 *   "unsaved"  true where its content is on no disk and would be lost
 *   "saved_path"  where it, or what it was made of, was saved last; null for nowhere
 *   "made_of"  the medium that it was made of; null for a file as it was staged
 */
CROFT_API croft_status croft_session_handles(croft_session *session, croft_result *result);

/* Stops the calls of that id at their next file, block or thousand steps, or while they wait to begin; they
 * end CROFT_CALLED_OFF. Returns at once. An id that is not running, and 0, is ignored. Callbacks may call
 * it. */
CROFT_API void croft_cancel(croft_session *session, uint64_t call_id);

/* ---- checkout ---------------------------------------------------------------------------------- */

/* An entry of a checkout that cannot be trusted, and why. Valid during the call that it is given to. */
typedef struct croft_link_fault {
    const char *path;   /* below the checkout, byte for byte; a directory's ends in "/" */
    const char *shown;  /* the same as one line of UTF-8: what could not be shown is \xNN in it */
    croft_status kind;  /* see below */
    const char *reason; /* goes on where the path ends, as in "leads to nothing"; UTF-8, one line */
} croft_link_fault;

typedef void croft_link_function(void *user, const croft_link_fault *fault);

/*
 * Looks at every entry below the directory `checkout`, however deep, hidden ones and .git too, to say
 * whether its symbolic links can be trusted before it is used as a root. Nothing is changed. The verdict
 * is about the whole: a checkout without its bad links is not the one that was asked for. A link is bad
 * when it
 *
 *   CROFT_READ_ONLY      has one of the `count` names `read_only`, or lies in a directory at the top
 *                        that has one; case and the like are ignored as in a view. NULL in place of
 *                        `read_only` means the four names of croft_view_options_init()
 *   CROFT_OUTSIDE        has an absolute target, wherever that is, or leads out of the checkout on its
 *                        way, also where it comes back
 *   CROFT_MISSING        leads to nothing
 *   CROFT_LOOP           leads through more than 40 links
 *   CROFT_BAD_ARGUMENT   is longer, or leads deeper, than this library goes
 *   CROFT_CROSSES_MOUNT  leads to a mount inside the checkout, or beyond one
 *
 * Its target is followed as open(2) does it: ".." behind a link is the parent of what the link leads to.
 * What cannot be looked at is not trusted either: a directory that is not readable (CROFT_UNREADABLE,
 * CROFT_IO) or lies below 100 others (CROFT_TOO_MANY), a mount of any kind, as it is no part of
 * the checkout (CROFT_CROSSES_MOUNT), and what is changed meanwhile by somebody else (CROFT_CHANGED).
 * The verdict is worth nothing when the checkout is changed afterwards.
 *
 * Returns CROFT_OK for a checkout that can be trusted, and CROFT_DENIED for one that cannot: `report` was
 * called once for each bad entry, in the order of the bytes of their paths, with the first of its faults.
 * NULL in its place is fine; err->message has the number. It may not jump out. Every other status means
 * that there is no verdict: `checkout` cannot be opened (as in croft_view_open), the kernel does not tell
 * mounts apart (before Linux 5.8), a name in `read_only` is not one name, or memory ran out.
 */
CROFT_API croft_status croft_verify_links(const char *checkout, const char *const *read_only,
                                          size_t count, croft_link_function *report, void *user,
                                          croft_error *err);

typedef struct croft_copy_options {
    size_t size;
    const char *const *read_only_names; /* default skills, docs, templates and context */
    size_t read_only_count;
    const char *const *skip; /* further names at the top that are left out; default none */
    size_t skip_count;
    bool no_fsync;               /* it may be lost in a power cut (default false) */
    croft_link_function *report; /* told of what is left out or refused, and why; default none */
    void *user;
} croft_copy_options;

CROFT_API void croft_copy_options_init(croft_copy_options *options);

/* What was copied. */
typedef struct croft_copied {
    uint64_t directories, files, links;
    uint64_t bytes;      /* in those files */
    uint64_t shared;     /* of the files: the file system keeps the bytes of both but once */
    uint64_t kept;       /* of the files: an earlier run, which was interrupted, had copied them */
    uint64_t left_out;   /* entries of which `report` was told */
    uint64_t unreadable; /* of those: by no rule, but as they could not be read or copied */
} croft_copied;

/*
 * Makes the directory `to`, where nothing or an empty directory may be, with all that the checkout `from`
 * holds, but for the names `skip`: the trees that sessions may read and not change, say, as they are at a
 * pinned commit. All or nothing: the links are judged as croft_verify_links does it, in `from` and again
 * in the copy; and the copy has another name, beside `to`, until it is whole.
 *
 * No link is followed. Contents, names and, as far as the umask lets, modes are those of `from`; owners and
 * times are new. A run that was interrupted leaves its copy under that other name, and the next goes on
 * from there; nothing of `from` is ever changed.
 *
 * Fills *copied, unless it is NULL. Fails as croft_view_open for `from`, as croft_verify_links (CROFT_DENIED,
 * and `report` is told why) for its links, and with
 *
 *   CROFT_ALREADY_EXISTS  something is at `to`; or two names of `from` are one there
 *   CROFT_MISSING         the directory in which `to` would lie
 *   CROFT_BAD_ARGUMENT    `to` ends in no name, or lies in `from`
 *   CROFT_BUSY            another run makes `to` right now
 *   CROFT_NOT_REGULAR, CROFT_UNREADABLE, CROFT_CHANGED, CROFT_TOO_MANY   of something in `from`
 *   CROFT_OWNER, CROFT_NO_SPACE, CROFT_IO   of the copy
 */
CROFT_API croft_status croft_fill(const char *from, const char *to,
                                  const croft_copy_options *options, croft_copied *copied,
                                  croft_error *err);

/*
 * Makes the directory `to` in the same way with what sessions made in `root`: all but the read-only names,
 * which they could not have made (S0-48), and the names `skip`. Whatever a session may have left there, no
 * link is followed, and none comes along that croft_verify_links would refuse in the copy. What is no file,
 * directory or link, lies on a mount, cannot be read, or changes while it is copied is left out too;
 * `report` is told of each.
 */
CROFT_API croft_status croft_harvest(const char *root, const char *to,
                                     const croft_copy_options *options, croft_copied *copied,
                                     croft_error *err);

/* ---- subprocess -------------------------------------------------------------------------------- */

typedef struct croft_wrap_options {
    size_t size;
    const char *program; /* bubblewrap; default "bwrap" */
    unsigned version;    /* of it, 12003 for 0.12.3; default 0: one that can be led astray */
    int seccomp_fd;      /* that the started bubblewrap has, with a filter; default -1: none */
    int status_fd;       /* likewise, to which it writes how the program ended; default -1: none */
    uint64_t tmp_bytes;  /* that /tmp can hold, and /dev/shm; default 256 MiB */
} croft_wrap_options;

CROFT_API void croft_wrap_options_init(croft_wrap_options *options);

/* A command: `items` are ended by a NULL, and are given back by croft_argv_free. */
typedef struct croft_argv {
    char **items;
    size_t count;
    size_t
        split; /* the index of "--": those from 1 up to it may also be given by --args; 0: there is
                   * none */
} croft_argv;

CROFT_API void croft_argv_free(croft_argv *argv);

/*
 * The command that starts `argv` (ended by NULL, not empty) as a subprocess which sees what the view shows and
 * nothing else: bubblewrap with its arguments. `workdir` is a directory of the host's that the view shows,
 * or NULL for the root. The program finds the root as /workspace, `global` as /global, what is mounted as NAME
 * as /NAME, and binds under their own paths; its home is /home/agent and cannot be written; /tmp is its
 * own. It has no network unless the view says so, of the environment what the view names, none of the
 * capabilities of who started it, and cannot make namespaces of its own. What is hidden is, to it, an empty
 * file or directory. Of a view that is disabled the command is `argv` itself.
 *
 * All is looked at when this is called, and must stay so until the program has started: start it soon, with no
 * other descriptors than it needs, and, as a process behind Landlock cannot start it, not from one. Safe in any
 * thread, and in a child of fork(2). What is hidden must not be replaced by a rename while the program runs,
 * nor removed and made again: the kernel takes away what lies over it then. Write to it in place, or keep it
 * outside of the trees that are shown.
 *
 *   CROFT_DENIED        the view does not show `workdir`
 *   CROFT_TOO_MANY      more arguments than bubblewrap takes: there are too many masks
 *   CROFT_OWNER         something is hidden, and somebody else could change what masks put in the place of
 *                       files (below /run, $XDG_RUNTIME_DIR or /tmp)
 *   CROFT_BAD_ARGUMENT  all that could not hold, a line each: something hidden that is a link, or is not
 *                       there yet, or lies in what can be written; a tree that itself lies in what can be
 *                       written, where another could be put in its place; a mount with the name of a
 *                       directory that every program has; a mount whose place in another is a
 *                       link, is not there, or lies in what can be written (before 0.12 bubblewrap can be
 *                       led out of the view by links there: CVE-2026-87766); a read-only name that the
 *                       root has, for that reason; no absolute path
 */
CROFT_API croft_status croft_wrap_argv(const croft_view *view, const char *workdir,
                                       const char *const *argv, const croft_wrap_options *options,
                                       croft_argv *wrapped, croft_error *err);

/* The version of the library that is used, as in "0.1.0". A constant. */
CROFT_API const char *croft_version(void);

#ifdef __cplusplus
}
#endif
#endif
