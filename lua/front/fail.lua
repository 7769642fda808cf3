-- SPDX-License-Identifier: MIT
--- fail: ends the command with one sentence on stderr and an exit status.
local fail = {}

--- Exit statuses of the program.
fail.DONE, fail.TOOL, fail.USAGE, fail.STOPPED = 0, 1, 2, 3

local failure = {}
failure.__index = failure
failure.__tostring = function(self) return self.message end

--- The call cannot be understood, or what it names cannot be opened: status 2.
function fail.usage(message, ...)
  error(setmetatable({ status = fail.USAGE, message = message:format(...) }, failure), 0)
end

--- Output could not be written: status 1.
function fail.output(reason)
  local message = "cannot write to stdout: " .. tostring(reason)
  error(setmetatable({ status = fail.TOOL, message = message }, failure), 0)
end

--- `; did you mean "..."?` or "". What finds the word is loaded only now: most calls are right.
function fail.hint(word, words)
  local best = require("front.near").word(word, words)
  return best and ('; did you mean "%s"?'):format(best) or ""
end

function fail.is(value) return getmetatable(value) == failure end

return fail
