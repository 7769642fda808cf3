# SPDX-License-Identifier: MIT
# Writes Lua files as a C table of struct embedded_source (core/embedded.h).
#
#   cmake -DOUT=session_source.c -DNAME=session_source -DBASE=DIR "-DFILES=lua/croft/tool.lua|..." -P EmbedLua.cmake
#
# With -DCOMPILER=PROGRAM (core/cmake/compile_lua.c) each is there compiled, too.
#
# The table is called NAME with an s: session_sources, and its length session_source_count. A module is
# called as its file, without "lua/" and ".lua": lua/croft/tool.lua is croft.tool.
string(REPLACE "|" ";" FILES "${FILES}")
set(sources "")
set(codes "")
set(rows "")
set(count 0)
foreach(file IN LISTS FILES)
    file(READ "${BASE}/${file}" hex HEX)
    file(SIZE "${BASE}/${file}" size)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(REGEX REPLACE "^lua/" "" module "${file}")
    string(REGEX REPLACE "\\.lua$" "" module "${module}")
    string(REPLACE "/" "." module "${module}")
    string(APPEND sources "APART static const unsigned char source_${count}[] = {${bytes}0x00};\n")
    set(code "NULL, 0")
    if(COMPILER)
        execute_process(COMMAND ${COMPILER} ${BASE}/${file} @${file} ${OUT}.compiled COMMAND_ERROR_IS_FATAL ANY)
        file(READ "${OUT}.compiled" hex HEX)
        file(SIZE "${OUT}.compiled" code_size)
        string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
        string(APPEND codes "static const unsigned char code_${count}[] = {${bytes}};\n")
        set(code "code_${count}, ${code_size}")
    endif()
    string(APPEND rows "    {\"${module}\", \"@${file}\", source_${count}, ${size}, ${code}},\n")
    math(EXPR count "${count} + 1")
endforeach()
file(WRITE "${OUT}" "/* SPDX-License-Identifier: MIT */
/* Made by core/cmake/EmbedLua.cmake from the Lua sources: change those. */
#include \"embedded.h\"

/* What is read at each start lies together, and apart from what only a debugger shows. */
#define APART __attribute__((section(\".lua_text\")))

${codes}
${sources}
const struct embedded_source ${NAME}s[] = {
${rows}    {NULL, NULL, NULL, 0, NULL, 0},
};
const size_t ${NAME}_count = ${count};
")
