-- SPDX-License-Identifier: MIT
--- examples/debugging: three faults, found with the REPL.
local tree = require("tree")

describe("The transcript in examples/debugging", function()
  it("is what comes of its session, times and sizes aside", function()
    local difference, good = tree.output(("CROFT_PROGRAM='%s' examples/debugging/run 2>&1"):format(
      tree.program():gsub("^[^/]", os.getenv("PWD") .. "/%0")))
    assert(good, difference)
    assert.equal("", difference)
  end)

  it("finds each of the faults", function()
    local text = tree.text("examples/debugging/transcript.txt")
    assert.matches("words   =  1\nleast   =  {\"word\"}", text)
    assert.matches("next_word%(text, 4%)\n4, 3\n", text)
    assert.matches("latest.txt: link %-> an absolute path\nverdict    outside %(link%)", text)
  end)
end)
