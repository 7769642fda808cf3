-- SPDX-License-Identifier: MIT
--- busted under this very Lua: Debian's /usr/bin/busted starts whatever `lua` is.
require("busted.runner")({ standalone = false })
