-- SPDX-License-Identifier: MIT
--- Every sentence that a model reads, by its number in the contract of the tools.
--
-- `{name}` is filled in. Between double quotes, `"{name}"`, the value becomes a JSON string, so
-- that `"path": "{a}"` can be sent as it stands; a quotation that is no value of an argument is
-- cut at 200 bytes. `{n|line}` is a count with its noun (`1 line`, `3 lines`). `{list}`,
-- `{read}`, `{grep}`, `{write}` and `{edit}` are the tools under the names by which the host
-- offers them.
--
-- A refusal says what is so, then the rule, then a next call that works. A variant of a number
-- has a suffix (P1_drive).
local texts = {}

--- The call did not do what was asked.
texts.refusals = {
  -- Arguments
  A1 = '{tool} needs "{arg}", and the call did not have it. Nothing was done. {remedy}',
  A2 = '"{arg}" must be {kind}, not {got}. {remedy}',
  A3 = '"{arg}" is empty, and it must hold at least one character. {remedy}',
  A4 = '"{arg}" must be a whole number, not {got}. Send for example "{arg}": {example}.',
  A5 = '"{arg}" must be between {low} and {high}, not {got}. Send "{arg}": {nearest}.',
  A5_low = '"{arg}" must be {low} or more, not {got}. Send "{arg}": {nearest}.',
  A5_high = '"{arg}" must be {high} or less, not {got}. Send "{arg}": {nearest}.',
  A6 = '{tool} has no argument "{arg}"; nothing was done. It takes {names}.',
  A7 = '"{arg}" must be {words}, not {got}. Send for example "{arg}": "{example}".',
  A8 = 'There is no tool "{name}". The tools are {names}.',
  A9 = 'The arguments must be a JSON object such as {"path": "notes.md"}.',
  A10 = '"{arg}" holds half of a surrogate pair, which is no character. Nothing was done. {remedy}',
  A11 = 'The arguments are nested deeper than {n} levels, and no tool here takes that. Send them '
    .. 'flat, such as {"path": "notes.md"}.',

  -- Paths
  P1 = '"{arg}" must be relative to the workspace root, and this one is absolute. {remedy}',
  P1_drive = '"{arg}" must be relative to the workspace root, and "{p}" begins with a drive. '
    .. '{remedy}',
  P2 = '"{arg}" may not climb above the workspace root, and "{p}" does (".."). {remedy}',
  P3 = '"{p}" passes through the link "{part}", which points outside the workspace. Only files '
    .. 'inside it can be reached. Call {list} with "path": "{dir}" for other names.',
  P4 = '"{p}" does not exist. Send "{arg}": "{a}", which is close by, or call {list} with "path": '
    .. '"{dir}".',
  P4_two = '"{p}" does not exist. Send "{arg}": "{a}" or "{arg}": "{b}", which are close by, or '
    .. 'call {list} with "path": "{dir}".',
  P5 = '"{p}" does not exist; "{dir}" has no "{base}". Call {list} with "path": "{dir}" to see '
    .. 'its names.',
  P5_link = '"{p}" does not exist: "{part}" is a link to a name that is not there. Call {list} '
    .. 'with "path": "{dir}" for other names.',
  P6 = '"{p}" does not exist; already "{part}" is missing. Call {list} with "path": "{dir}".',
  P7 = '"{part}" is a file, so "{p}" cannot lie inside it. Call {list} with "path": "{dir}" for '
    .. 'the names beside it.',
  P7_end = '"{p}" is spelled as a directory, but it is a file. Send "{arg}": "{part}".',
  P7_link = '"{p}" passes through the link "{part}", which goes through a file as if it were a '
    .. 'directory. Call {list} with "path": "{dir}" for names that are not links.',
  P8 = '"{p}" is a directory; {tool} works on a file. Call {list} with "path": "{p}", then {tool} '
    .. 'one of its files.',
  P9 = '"{p}" is a {kind}; only regular files can be opened. Call {list} with "path": "{dir}" for '
    .. 'others.',
  P10 = '"{p}" goes round in a circle of links (more than 40). Call {list} with "path": "{dir}" '
    .. 'for names that are not links.',
  P10_long = '"{p}" leads through links that are too long (more than 4096 names or 32 KiB). Call '
    .. '{list} with "path": "{dir}" for names that are not links.',
  P11_nul = '"{arg}" holds a NUL character. Call {list} without "path" to see the names that '
    .. 'there are.',
  P11_utf8 = '"{arg}" is not UTF-8. Call {list} without "path" to see the names that there are.',
  P11_empty = '"{arg}" is empty. Call {list} without "path" to see the names that there are.',
  P11_deep = '"{arg}" leads through more directories than can be held. Call {list} without "path" '
    .. 'and go down from there.',
  P11_long = '"{arg}" is longer than {n} bytes. Call {list} without "path" to see the names that '
    .. 'there are.',
  P11_name = '"{arg}" has a name longer than {n} bytes in it, and none may be. Nothing was '
    .. 'changed. {remedy}',
  P11_disk = '"{part}" has a longer name than the file system there takes: {n} bytes are the most '
    .. 'anywhere, and there it is less. Nothing was changed. {remedy}',
  P11_link = '"{p}" passes through the link "{part}", in which there is a name longer than {n} '
    .. 'bytes; no file can have it. Call {list} with "path": "{dir}" for other names.',
  P12_read = '"{p}" is not readable for this process. Call {list} with "path": "{dir}" for others.',
  P12_write = '"{p}" is not writable for this process. Nothing was changed. Call {list} with '
    .. '"path": "{dir}" for others.',
  P13 = '"{p}" is in "{top}", which is read-only here ({names} are). '
    .. 'Nothing was written. {remedy}',
  P13_own = '"{p}" is in "{top}", which is read-only here. Nothing was written. {remedy}',
  P13_all = '"{p}" lies where nothing can be changed: it is read-only. Nothing was written. Call '
    .. '{list} with "path": "{dir}" to see what can be read.',
  P14 = '"{p}" leads into "{top}" through a link, and "{top}" is read-only. Nothing was written. '
    .. '{remedy}',
  P14_now = '"{top}" is read-only, and it leads to where "{p}" is. Nothing was changed. {remedy}',
  P14_start = '"{top}" is read-only, and it led to where "{p}" is when the workspace was opened. '
    .. 'Nothing was changed. {remedy}',
  P14_way = '"{top}" is read-only, and it leads through "{p}", which stays as it is. Nothing was '
    .. 'changed. {remedy}',
  P15 = '"{arg}" must name a file; "{p}" ends in "/". Send for example "{arg}": "{a}".',
  P16_read = '"{p}" could not be read: the disk reports an error. Call {list} with "path": '
    .. '"{dir}" for others.',
  P16_write = '"{p}" could not be written: the disk reports an error. Nothing was changed. Call '
    .. '{list} with "path": "{dir}" to see what is there.',
  P16_full = '"{p}" could not be written: no space is left for it. Nothing was changed. Call '
    .. '{list} with "path": "{dir}" to see what is there already.',
  P16_limit = '"{p}" could not be written: it would be larger than a file may be on this host. '
    .. 'Nothing was changed. Send less for it, and the rest under another name, such as "{arg}": '
    .. '"{a}".',
  P17 = '"{p}" has {size|byte}, more than {tool} takes. Call {read} with "path": "{p}", "limit": '
    .. '200 for a part of it.',
  P18 = '"{p}" was changed by someone else while it was opened. Nothing was written. Call {list} '
    .. 'with "path": "{dir}" to see what is there now.',
  P18_removed = '"{p}", or a directory that it lies in, was removed by someone else during the '
    .. 'call. Send the same call again if it is still wanted, or call {list} with "path": "." to '
    .. 'see what is there now.',
  P19 = '{tool} was given a pattern that does not compile: {reason}, at character {i}.',
  P19_expensive = '{tool} was given a pattern that needs too much work on the text it is tried '
    .. 'on. Repeats inside repeats and long lines do that: write each repeat once, and begin with '
    .. 'plain text.',
  P20 = '"{p}" exists already. Nothing was written. Call {list} with "path": "{dir}" to see what '
    .. 'is there.',
  P21 = '"{p}" is the workspace root itself, which can be neither moved nor removed. Nothing was '
    .. 'changed. Call {list} with "path": "." for the names in it.',
  P22 = '"{p}" is a directory that is not empty, and only empty ones can be removed. Nothing was '
    .. 'changed. Call {list} with "path": "{p}", "recursive": true, and remove what it shows, from '
    .. 'the deepest up.',
  P23 = '"{p}" cannot be moved into itself, and its new name lies in it. Nothing was moved. Send a '
    .. 'new name outside of "{arg}".',
  P24 = '"{p}" has both names already: they are one file. Nothing was moved. Send another name '
    .. 'than "{arg}" has.',
  P25 = '"{p}" cannot be moved to another directory here: the server stands behind a wall that '
    .. 'allows renames in one directory only. Nothing was moved. Send a new name in "{dir}", where '
    .. '"{arg}" is.',
  P26 = '"{p}" and its new name lie on different file systems, and a move stays on one. Nothing '
    .. 'was moved. {remedy}',
  P26_trees = '"{p}" and its new name lie in different trees of this workspace, and a move stays '
    .. 'in one. Nothing was moved. {remedy}',
  P26_whole = '"{p}" is a directory that its file system cannot move as a whole. Nothing was '
    .. 'moved. Call {list} with "path": "{p}" and move its entries, one call each.',
  P27 = '"{p}" is a mount point, which no call can replace, move or remove. Nothing was changed. '
    .. 'Call {list} with "path": "{dir}" for other names.',

  -- read
  R4 = '"{p}" has {n|line}, so "offset" {offset} is past its end. Send "offset" 1 to {n}, or '
    .. '"offset": -20 for the last 20.',
  R7 = 'Line {i} of "{p}" has {size|byte}, so "column" {column} is past its end. Send "column": '
    .. '1, or up to {size}.',
  R8 = '"{p}" is binary ({kind}, {size|byte}) and {read} shows text only. No tool here opens it; '
    .. 'call {list} with "path": "{dir}" for the text files around it.',

  -- list
  L4 = '"{p}" is a file of {size|byte}, not a directory. Call {read} with "path": "{part}".',
  L7 = '"{arg}" does not parse: {reason} at character {i} of "{glob}". Send for example "{arg}": '
    .. '"{example}".',

  -- grep
  G1 = '"pattern" does not compile: {reason} at character {i} ("{near}"). To search for it as '
    .. 'plain text, add "literal": true.',
  G2 = '"pattern" needs too much backtracking on "{file}" line {i}, and the search was stopped. '
    .. 'Repeats inside repeats do that: write each repeat once, or add "literal": true.'
    .. '{others}',
  G2_long = '"pattern" needs too much work on "{file}" line {i}, which has {size|byte}, and the '
    .. 'search was stopped. Begin "pattern" with plain text, or add "literal": true.{others}',
  G3_long = '"pattern" is longer than {n} bytes. Send a shorter one, such as its beginning: '
    .. '"pattern": "{start}", "literal": true.',
  G3_large = '"pattern" grows too large when compiled. Use smaller repeats, or add "literal": '
    .. 'true.',
  G4 = '"pattern" holds a newline, but lines are matched one at a time, so it can never match. '
    .. 'Send one line of it and the lines around: "pattern": "{line}", "literal": true, '
    .. '"context": 3.',
  G4_blank = '"pattern" is a newline, but lines are matched one at a time, so it can never match. '
    .. 'For empty lines send "pattern": "^$".',
  G13 = '"{p}" has {size|byte} and {grep} reads at most {ceiling} per file. Call {read} with '
    .. '"path": "{p}", "limit": 200 for a part of it ("offset" says which).',
  G14 = '"{p}" is binary, and {grep} searches text only. Call {grep} with "path": "{dir}" to '
    .. 'search the text files around it.',
  T14 = '"pattern" may not begin with "(*": settings of the matcher are not for patterns. For '
    .. 'plain text add "literal": true.',

  -- what a gate refuses
  V_rule = '{tool}{of} is denied by a rule of this workspace. Nothing was done. Call {list} '
    .. 'without "path" for the names that there are, and send another path.',
  V_rule_note = '{tool}{of} is denied by a rule of this workspace: {note}. Nothing was done. '
    .. 'Send the same call again only with another path.',
  V_default = 'No rule of this workspace allows {tool}{of}. Nothing was done. Send a path that '
    .. 'a rule allows; call {list} without "path" for the names that there are.',
  V_nobody = '{tool}{of} needs somebody\'s approval, and here nobody can be asked. Nothing was '
    .. 'done. Send a call that needs none, and tell the user what you wanted to do.',
  V_declined = '{tool}{of} was declined by the user. Nothing was done. Do not send the same '
    .. 'call again; ask the user what to do instead.',
  V_declined_note = '{tool}{of} was declined by the user, who says: "{note}". Nothing was '
    .. 'done. Do not send the same call again.',
  V_timeout = '{tool}{of} needs an approval, and nobody answered in time. Nothing was done. '
    .. 'Tell the user that it waits for one, and send the same call again when they are there.',
  V_error = '{tool}{of} needs an approval, and asking for it failed. Nothing was done. Tell '
    .. 'the user; sending the same call again asks anew.',
  V_no_decider = '{tool}{of} needs an approval, and this client has no way to ask for one. '
    .. 'Nothing was done. Tell the user, who can start the server with another --gate.',
  V_cancelled = '{tool}{of} needs an approval, and the question was closed without an answer. '
    .. 'Nothing was done. Sending the same call again asks anew.',
  V_too_many = '{tool}{of} needs an approval, and the user has as many open questions as there '
    .. 'may be: it was not asked. Nothing was done. Send the same call again when some of them '
    .. 'are answered.',
  V_answer = '{tool}{of} came with an approval that is not good for it: it was used already, '
    .. 'is too old, or is for another call. Nothing was done. Sending the same call without it '
    .. 'asks anew.',
  V_needs_input = '{tool}{of} waits for an approval. Nothing was done so far.',
  V_elsewhere = '"{p}" leads to "{other}", and approvals are for a file by its own path. '
    .. 'Nothing was done. Send "{arg}": "{other}".',
  V_unasked = '"{p}" was not part of what was approved. Nothing was done to it. Send a call of '
    .. '{tool} that names it as "{arg}".',
  V_contents = 'in "{p}" lies something that the rules of this workspace do not let {tool} '
    .. 'touch, or that needs an approval of its own. Nothing was done. Send the entries of "{p}" '
    .. 'one by one.',

  -- write
  W5 = '"content" has {size|byte} and one {write} takes at most {n}. Nothing was written. Send a '
    .. 'first part of it, then each further part with "mode": "append"; or {write} a summary '
    .. 'instead of raw data.',
  W6 = '"{p}" has {old|byte} and would pass the file ceiling of {n} with these {size}. Nothing '
    .. 'was written. Continue in a new file: "path": "{other}".',
  W7 = '{tool} needs "content", and the call did not have it; "{p}" is unchanged. If the call was '
    .. 'cut short by its length, send a first part and the rest with "mode": "append". For an '
    .. 'empty file send "content": "".',
  W8 = '"content" must be text, not {got}. Nothing was written. Send the text of the file as one '
    .. 'string, for example "content": "{example}".',
  W9 = '"{p}" exists already ({size|byte}) and "mode" is "create". Nothing was written. Use '
    .. '{edit} to change it, or send "mode": "overwrite".',

  -- edit
  E4 = '"old_string" begins its lines with the "{prefix}" that {read} adds. That is not part of '
    .. '"{p}". Nothing was changed. Without it the text fits line {i}; leave it out of '
    .. '"new_string" too. {remedy}',
  E5 = '"old_string" is not in "{p}", but "new_string" is, at line {i}: this edit seems to be '
    .. 'done already. Nothing was changed. To see, call {read} with "path": "{p}", "offset": {i}.',
  E6 = '"old_string" is not in "{p}". {lines} only in {what}. Nothing was changed. Mind the same '
    .. 'in "new_string". {remedy}',
  E7 = '"old_string" is not in "{p}". Line {i} differs only in look-alike characters: the file '
    .. 'has U+{x}, you sent U+{y}. Nothing was changed. Mind the same in "new_string". {remedy}',
  E7_file = '"old_string" is not in "{p}". Line {i} differs only in a character that cannot be '
    .. 'seen: the file has U+{x} there. Nothing was changed. {remedy}',
  E7_sent = '"old_string" is not in "{p}". It differs from line {i} only in a character that '
    .. 'cannot be seen: you sent U+{y}. Nothing was changed. {remedy}',
  E8 = '"old_string" is not in "{p}". Line {i} has the same text in another Unicode form '
    .. '({form}). Nothing was changed. Choose an "old_string" without "{c}", or keep to the '
    .. 'escapes. {remedy}',
  E9 = '"old_string" holds a backslash and "{c}" where "{p}" has {what} (line {i}). Nothing was '
    .. 'changed. Mind the same in "new_string". {remedy}',
  E10 = '"old_string" ends in a newline, but "{p}" ends without one. Nothing was changed. Leave '
    .. 'out the last newline. {remedy}',
  E10_more = '"old_string" ends in a newline that is not there in "{p}": without it, the text fits '
    .. 'line {i}. Nothing was changed. {remedy}',
  E11 = '"old_string" is not in "{p}". Closest are lines {i}-{j}, and line {k} is the first that '
    .. 'differs. Nothing was changed. To see them all call {read} with "path": "{p}", "offset": '
    .. '{i}, "limit": {count}. The file now has:',
  E11_line = '"old_string" is not in "{p}". Line {i} comes closest. Nothing was changed. To see '
    .. 'what is around it call {read} with "path": "{p}", "offset": {i}. The file now has:',
  E12 = '"old_string" is not in "{p}" and nothing close to it is. Nothing was changed. Call '
    .. '{grep} with "path": "{p}", "pattern": "{word}", "literal": true.',
  E12_large = '"old_string" is not in "{p}"; in so much text nothing close to it was looked for. '
    .. 'Nothing was changed. Call {grep} with "path": "{p}", "pattern": "{word}", "literal": true.',
  E12_blank = '"old_string" is not in "{p}"; it is white space alone. Nothing was changed. Call '
    .. '{read} with "path": "{p}" and copy a whole line.',
  E12_utf16 = '"old_string" is not in "{p}", which is UTF-16; {edit} takes UTF-8. Nothing was '
    .. 'changed. Call {list} with "path": "{dir}" for others, or replace all of it with {write}.',
  E12_binary = '"old_string" is not in "{p}", which is binary. Nothing was changed. Call {list} '
    .. 'with "path": "{dir}" for the text files around it.',
  E12_short = '"old_string" is not in "{p}", nor is anything close to it. Nothing was changed. '
    .. 'Call {read} with "path": "{p}" and copy from it. Now it has:',
  E13 = '"old_string" occurs {k|time} in "{p}", at {lines}. Nothing was changed. Add a '
    .. 'neighbouring line to "old_string" to pick one, or send "replace_all": true.',
  E14 = '"old_string" fits {k|overlapping place} in "{p}", from {lines}. Nothing was changed. Add '
    .. 'the line before or after to it, or send "replace_all": true to go from the top.',
  E15 = '"old_string" must not be empty. Nothing was changed. Call {read} with "path": "{p}", put '
    .. 'a neighbouring line of it in "old_string" and repeat that in "new_string"; to add text at '
    .. 'the end use {write} with "mode": "append".',
  E16 = '"new_string" equals "old_string", so there is nothing to change. Send the text you want '
    .. 'in "new_string"; to see what there is, call {read} with "path": "{p}".',
  E17 = '{tool} needs "new_string", and the call did not have it; "{p}" is unchanged. To delete '
    .. 'the text send "new_string": "".',
  E17_old = '{tool} needs "old_string", and the call did not have it; "{p}" is unchanged. Call '
    .. '{read} with "path": "{p}" and copy the text to be replaced from it.',
  E18 = '"{p}" does not exist, and {edit} changes existing files only. To create it use {write}; '
    .. 'to see what there is, call {list} with "path": "{dir}".',
  E18_near = '"{p}" does not exist, and {edit} changes existing files only. Close by is "path": '
    .. '"{a}". To create it use {write}; to see what there is, call {list} with "path": "{dir}".',
  E19 = '"{p}" is empty, so "old_string" cannot be in it. Nothing was changed. Call {write} with '
    .. '"path": "{p}", "content": "{example}".',
  E20 = '"{p}" would have {size|byte}, over the file ceiling of {n}. Nothing was changed. Replace '
    .. 'less, or use a shorter "new_string"; to choose, call {read} with "path": "{p}".',
  E21 = 'Send either "old_string" and "new_string", or "edits", not both. Nothing was changed.',
  E22 = 'edits[{i}] of {n} failed and none was applied: {message}',
  E23 = '"edits" must hold 1 to {most} edits, not {n}. Nothing was changed. Send for example '
    .. '"edits": [{"old_string": "a", "new_string": "b"}].',
  E24 = 'edits[{i}]: its "old_string" was in "{p}" until edits[{j}] replaced that text. None was '
    .. 'applied. Put both changes in one edit.',
  E25 = '"{p}" has {size|byte} and {edit} takes files up to {n}. Nothing was changed. {write} the '
    .. 'new version to another "path" in parts with "mode": "append"; for the old text call '
    .. '{read} with "path": "{p}", "limit": 200.',
  E26 = '"{p}" was changed by someone else while it was edited, twice in a row. Nothing was '
    .. 'changed. Call {read} with "path": "{p}" and edit what it holds now.',

  -- All tools
  T1 = '{tool} was stopped after {t} s, its time limit. {remedy} Nothing was changed.',
  T3_steps = '{tool} was stopped: it used more than {n} steps. {outcome} Ask for less at once.',
  T3_heap = '{tool} was stopped: it used more than {ceiling} of memory. {outcome} Ask for less at '
    .. 'once.',
  T4 = '{tool} failed inside; this is a fault of the tool, not of the call. It is in the log. '
    .. 'Another "path" or argument may work.',
  T5 = 'The workspace itself is gone; no call of {tool} or another tool can succeed. There is no '
    .. 'next call: tell the operator.',
  T7 = '"{p}" is in use by another program just now. Nothing was changed. The same call may work '
    .. 'in a moment; until then, call {list} with "path": "{dir}" for others.',
  T8 = '"{p}" lies on another file system, and this workspace keeps to its own. Call {list} with '
    .. '"path": "{dir}" for others.',
  T9 = '"{p}" belongs to another user, and writing it would change its owner. Nothing was '
    .. 'written. Send another name: "{arg}": "{a}".',
  T10 = 'Names that begin with ".~croft-" are the own ones of the workspace. Send another: '
    .. '"{arg}": "{a}".',
  T10_link = '"{p}" leads through a link to a name that begins with ".~croft-", and such names are '
    .. 'the own ones of the workspace. Nothing was changed. Call {list} with "path": "." for names '
    .. 'that are not links.',
  T19 = '{tool} could not be done: the host has no file descriptor or no memory left for it just '
    .. 'now. Nothing was changed. The same call may work in a moment; if it does not, tell the '
    .. 'operator.',
  T18 = 'The audit log cannot be written, and without it {tool} may not run, nor may another tool. '
    .. '{outcome} There is no next call: tell the operator.',
}

--- Part of a refusal that depends on more than its cause: mostly the next call.
texts.remedies = {
  V_of = ' of "{p}"',
  A_add = 'Add "{arg}": {example}.',
  A_send = 'Send for example "{arg}": {example}.',
  A_names = 'Call {list} without "path" to see the names that there are.',
  A6_near = ' Did you mean "{near}"?',
  P1_here = 'Here is a "{top}" all the same. Send "{arg}": "{a}".',
  P1_inside = 'Send "{arg}": "{rel}", which exists inside.',
  P11_shorter = 'Send a shorter name, for example "{arg}": "{a}".',
  P26_file = 'Call {read} with "path": "{p}" and {write} the text to the new name.',
  P26_directory = 'Call {list} with "path": "{p}", "recursive": true, and {write} each file anew.',
  P13_write = 'Send a "{arg}" outside it, for example "{arg}": "{a}".',
  P13_names = 'Call {list} with "path": "." for names outside of it.',
  P13_edit = 'Call {read} with "path": "{p}", change the text, and {write} it to a "path" outside.',
  E_exact = 'Send exactly: "old_string": {sent}.',
  E_copy = 'Call {read} with "path": "{p}", "offset": {i}, "limit": {count}, and copy it from '
    .. 'there.',
  E_several = 'It is there {k|time}: call {read} with "path": "{p}", "offset": {i}, "limit": '
    .. '{count}, and copy it with a neighbouring line, or send "replace_all": true too.',
  E6_line = 'Line {i} differs',
  E6_lines = 'Lines {i}-{j} differ',
  E6_tabs = 'tabs and blanks',
  E6_blanks = 'blanks',
  E6_tails = 'blanks at the end of a line',
  E9_line = 'a real line break',
  E9_tab = 'a real tab',
  E9_quote = 'the quote alone',
  E9_backslash = 'one backslash',
  T3_made = 'Nothing was {done} but that the directory "{first_made}" was made, and stays.',
  T3_made_more = 'Nothing was {done} but that {made} directories were made, from "{first_made}" '
    .. 'on, and stay.',
  T3_clean = 'Nothing was changed.',
  T3_dirty = 'What it had written before stays.',
}

--- An answer, or the last line of one. Those of read, list and grep stand in [ ] there.
texts.notices = {
  R1 = 'end of file: {n|line}{notes}',
  R1_from = 'lines {a}-{b} of {n}: end of file{notes}',
  R2 = 'lines {a}-{b} of {n}; the page ceiling of {ceiling} stops here{notes}. Next: "offset": '
    .. '{next}; for less, add "limit"',
  R3 = 'lines {a}-{b} of {n}{notes}. Next: "offset": {next}, "limit": {limit}',
  R5 = '"{p}" is empty: 0 lines',
  R6 = 'line {i} has {size|byte}, more than a page; bytes {c}-{d} are shown{notes}. Next: '
    .. '"offset": {i}, "column": {column} for its rest, or "offset": {next} for the next line',
  R6_last = 'line {i} has {size|byte}, more than a page; bytes {c}-{d} are shown{notes}. Next: '
    .. '"offset": {i}, "column": {column} for its rest; it is the last line',
  R6_column = '; line {i} is shown from its byte {c}',
  R9 = '; {k|byte is|bytes are} not UTF-8 and shown as U+FFFD; {edit} still keeps them',
  R10 = '; lines end in CRLF',
  R10_mixed = '; line ends are mixed ({x} CRLF, {y} LF)',
  R10_bom = '; it begins with a UTF-8 BOM, which {edit} keeps',
  R11 = '; no newline at the end',
  R12 = 'last {k} of {n|line}{notes}. Before them: "offset": {before}, "limit": {k}',
  R13 = '; the file has changed since a page of it was read before: its lines may have moved',
  R14 = '; the file changed while it was read: this page may be of more than one moment',

  L1 = '"{p}" is empty',
  L1_rest = 'nothing else is in "{p}"',
  L2 = 'first {k} of {n|entry|entries}. For fewer: a deeper "path", "glob", or "recursive": false',
  L3 = 'first {k} of {n|entry|entries}; the {ceiling} ceiling stops here. For fewer: a deeper '
    .. '"path", "glob", or "depth": 1',
  L5 = 'none of the {n|entry|entries} fits "glob": "{glob}". "*" stays in one directory; "**/" '
    .. 'crosses them',
  L6 = '{k|directory|directories} could not be opened: "{name}"',

  G5 = 'no line matches in "{p}"; {n|file} searched',
  G6 = 'no line of "{p}" matches; {n|line} searched',
  G7 = 'no line matches in the {n|file} searched, but {k|was|were} skipped: {which}',
  G7_none = 'nothing was searched: {k|file was|files were} skipped: {which}',
  G8 = 'nothing was searched: no file under "{p}" fits "glob": "{glob}"',
  G9 = 'nothing was searched: "{p}" holds no files',
  G9_rest = 'nothing was searched: no file under "{p}" could be reached',
  G10 = 'stopped at {m|match|matches} in {f|file}. For fewer: a narrower "pattern", "path" or '
    .. '"glob"; for an overview "output": "files" or "count"',
  G10_files = 'stopped at {f|file}. For fewer: a narrower "pattern", "path" or "glob"',
  G11 = 'stopped after {m|match|matches}; the {ceiling} ceiling is reached. For more per page: '
    .. '"output": "files", a smaller "context", a narrower "glob"',
  G11_files = 'stopped after {f|file}; the {ceiling} ceiling is reached. For the rest: a narrower '
    .. '"path" or "glob"',
  G12 = 'skipped: {which}',
  G12_binary = '{k} binary',
  G12_large = '{k} over {ceiling} ("{name}")',
  G12_unreadable = '{k} unreadable',
  G2_others = ' For the other files add "exclude": "{glob}".',
  G15 = 'without regard to case {k|line} would match: add "ignore_case": true',
  G15_least = 'without regard to case at least {k|line} would match: add "ignore_case": true',
  G16 = '"pattern" is a regular expression and {k|line contains|lines contain} it as plain text: '
    .. 'add "literal": true',
  G16_least = '"pattern" is a regular expression and at least {k|line contains|lines contain} it '
    .. 'as plain text: add "literal": true',
  G17 = '{shown} is sent as "path": {p}',

  W1 = 'Created "{p}": {l|line}, {s|byte}.',
  W1_made = ' Made directory "{name}".',
  W1_made_more = ' Made {k} directories, from "{name}" on.',
  W2 = 'Replaced "{p}": {l|line}, {s|byte} (before: {l0|line}, {s0|byte}).',
  W2_sizes = 'Replaced "{p}": {l|line}, {s|byte} (before: {s0|byte}).',
  W3 = 'Appended {s|byte} to "{p}"; it now has {l|line}, {t|byte}.',
  W3_joined = ' The old text had no newline at its end.',
  W4 = '"{p}" already holds exactly this content; nothing had to be written.',
  W10 = ' Its lines ended in CRLF and now end in LF.',
  W12 = ' That is {x} % smaller; if a part was left out, the old text is gone from "{p}".',
  W13 = ' It is written, but the disk did not confirm that it would survive a power cut.',

  E1 = 'Edited "{p}": 1 replacement at line {i}.',
  E2 = 'Edited "{p}": {k} replacements, {lines}.',
  E3 = ' Lines in "{p}" end in CRLF, and the new text was given the same.',

  T1_list = 'Send "recursive": false or a deeper "path".',
  T1_read = 'Send "limit": 200.',
  T1_grep = 'Send a narrower "path" or "glob".',
  T1_any = 'Ask for less at once.',
  T2 = 'stopped after {spent} with {n|file} searched; what is above is complete for those. For the '
    .. 'rest: a narrower "path" or "glob"',
  T2_list = 'stopped after {spent}; what is above is not all. For less: a deeper "path", or '
    .. '"recursive": false',
  T2_time = '{t} s',
  T2_steps = '{n|step}',
  T6 = '{k|directory lies|directories lie} deeper than {n} levels and {k|was|were} not entered: '
    .. '"{name}". Call {tool} with "path": "{name}"',
  T8_walk = '{k|name|names} on other file systems left out',
  T11 = ' It had {n} names (hard links); only this one has the new text.',
  T12 = ' (name cannot be sent)',
  T12_json = ' (send "path": {p})',
  T13 = '(missing)',
  T13_outside = '(outside)',
  T13_loop = '(loop)',
  T13_closed = '(not reachable)',
  T15 = 'not entered: {which} (excluded)',
  T17 = 'cut at {n} bytes; ask for less at once',
}

return texts
