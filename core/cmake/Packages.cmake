# SPDX-License-Identifier: MIT
# `cpack --preset package` makes Debian packages of the components of Install.cmake.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR croft)
set(CPACK_PACKAGE_CONTACT "The authors of croft <croft@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program runtime devel lua)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
    GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# What the binaries are linked to: as dpkg-shlibdeps finds it, or as Debian 12 has it.
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(DPKG_SHLIBDEPS)
if(DPKG_SHLIBDEPS)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
    set(linked "")
else()
    set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libc6 (>= 2.34)")
    set(linked "libc6 (>= 2.34), libpcre2-8-0 (>= 10.22), lua-cjson (>= 2.1.0+dfsg), ")
endif()

set(version ${PROJECT_VERSION})
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME croft)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS bubblewrap)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION utils)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "The program: an MCP server over stdin and stdout, and the same tools \
from a shell.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libcroft${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
if(NOT DPKG_SHLIBDEPS)
    set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "${linked}liblua5.4-0 (>= 5.4.4)")
endif()
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "The library, for programs in C and C++.")

set(CPACK_DEBIAN_DEVEL_PACKAGE_NAME libcroft-dev)
set(CPACK_DEBIAN_DEVEL_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVEL_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVEL_PACKAGE_DEPENDS "${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME} (= ${version}), \
liblua5.4-dev, lua-cjson-dev, libpcre2-dev")
set(CPACK_COMPONENT_DEVEL_DESCRIPTION "What programs are built against: header, archive, CMake package and pkg-config.")

set(CPACK_DEBIAN_LUA_PACKAGE_NAME lua-croft)
set(CPACK_DEBIAN_LUA_PACKAGE_SECTION interpreters)
set(CPACK_DEBIAN_LUA_PACKAGE_DEPENDS "${linked}lua5.4")
set(CPACK_COMPONENT_LUA_DESCRIPTION "The module for Lua 5.4, and croft.testing for specs of tools.")

# Debian wants the licence in each package, and those of what is linked in by its archive.
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    file(READ LICENSE copyright)
    foreach(library IN ITEMS liblua5.4 lua-cjson libpcre2 libedit libbsd libmd libncurses)
        if(EXISTS /usr/share/doc/${library}-dev/copyright)
            file(READ /usr/share/doc/${library}-dev/copyright theirs)
            string(APPEND copyright "\n---- for what it has of ${library} ----\n\n${theirs}")
        endif()
    endforeach()
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/copyright CONTENT "@copyright@" @ONLY)
    foreach(component IN LISTS CPACK_COMPONENTS_ALL)
        string(TOUPPER ${component} upper)
        install(FILES ${PROJECT_BINARY_DIR}/copyright COMPONENT ${component}
                DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
    endforeach()
endif()
include(CPack)
