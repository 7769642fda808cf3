-- SPDX-License-Identifier: MIT
--- boxed: hosts with tenants in a directory that is thrown away, and programs run in their views.
local drive = require("spec.front.drive")
local tree = require("tree")

local boxed = {}

local NOBODY = "setpriv --reuid 65534 --regid 65534 --clear-groups "

--- Who starts programs: {name, prefix of the command}. Root can be somebody else.
boxed.users = { { "root", "" }, { "an unprivileged user", NOBODY } }
if tree.output("id -u") ~= "0\n" then boxed.users = { { "this user", "" } } end

local known = {}

--- Why nothing can be started in a view here; nil when something can. Set CROFT_WITHOUT_BWRAP where
--- that is to be: the specs are pending then, and fail otherwise.
function boxed.missing(prefix)
  if known[prefix] == nil then
    local host = boxed.host(prefix)
    local result = host:run("true")
    host:close()
    known[prefix] = result.status ~= 0 and result.err
  end
  return known[prefix] or nil
end

--- For `it`: runs `body` where programs can be started. `skip` takes the reason where they cannot
--- and need not be: `pending`, called in the spec.
function boxed.needs(prefix, skip, body)
  return function()
    local reason = boxed.missing(prefix)
    if not reason then return body() end
    if os.getenv("CROFT_WITHOUT_BWRAP") then return skip(reason) end
    error("nothing can be started in a view here: " .. reason
      .. "set CROFT_WITHOUT_BWRAP where that is to be", 0)
  end
end

local FILES = [[
mkdir -p tenants/acme/src tenants/other global/billing global/docs shared/skills tools cache
echo TOPSECRET >global/secrets.enc.json
echo 'of all' >global/docs/read.md
echo money >global/billing/sums
echo neighbour >tenants/other/file
echo mine >tenants/acme/file
echo skill >shared/skills/s
echo tool >tools/t
ln -s /etc/shadow tenants/acme/shadow
ln -s ../other/file tenants/acme/neighbour
chmod -R a+rX .
]]

local VIEW = [[{"tenants":"@/tenants","global":"@/global","secret_files":["secrets.enc.json"],
"hide":["@/global/billing"],"ro_binds":["@/tools"],"rw_binds":["@/cache"],
"maps":[{"src":"@/shared/skills","dst":"skills"}]%s}]]

local Host = {}
Host.__index = Host

--- A host. `more` are further keys of its view, as JSON.
function boxed.host(prefix, more)
  local base = os.tmpname()
  os.remove(base)
  assert(os.execute(("mkdir -m 755 %s && cd %s && { %s }"):format(base, base, FILES)))
  local host = setmetatable({ base = base, prefix = prefix }, Host)
  host:write("view.json", (VIEW:format(more and "," .. more or ""):gsub("@", base)))
  assert(os.execute(("cp %s %s/croft"):format(tree.program(), base)))
  if prefix ~= "" then
    assert(os.execute(("chown -R 65534:65534 %s/tenants/acme %s/cache"):format(base, base)))
  end
  return host
end

function Host:write(name, text)
  local file = assert(io.open(self.base .. "/" .. name, "wb"))
  file:write(text)
  file:close()
end

--- Runs lines of shell in the view, or with `how`, further options of croft wrap.
function Host:run(lines, how)
  return drive.shell(("cd %s && %s./croft wrap --view view.json --tenant acme %s -- sh -c %s")
    :format(self.base, self.prefix, how or "", drive.quoted(lines)))
end

--- Runs lines of shell outside, in the directory of the host.
function Host:sh(lines) return drive.shell(("cd %s && %s"):format(self.base, lines)) end

--- Hides further paths, a list of JSON strings.
function Host:hide(list)
  local view = tree.text(self.base .. "/view.json")
  self:write("view.json", (view:gsub('"hide":%[', '"hide":[' .. table.concat(list, ",") .. ",")))
end

--- What stands in all files, as one text.
function Host:state()
  return self:sh("find . -not -name croft | sort | while read -r f; do "
    .. "stat -c '%n %A %u' \"$f\"; [ -f \"$f\" ] && cat \"$f\"; done 2>/dev/null").out
end

function Host:close() os.execute("rm -rf " .. self.base) end

return boxed
