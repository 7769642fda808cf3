# SPDX-License-Identifier: MIT
# What `cmake --install` puts where, in four components, each a package of its own: program, runtime (the shared
# library), devel (what others build against) and lua (the Lua module).
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/croft)

install(TARGETS croft_cli COMPONENT program)
install(TARGETS croft_shared EXPORT croft_shared
        LIBRARY COMPONENT runtime NAMELINK_COMPONENT devel FILE_SET HEADERS COMPONENT devel)
install(TARGETS croft_static EXPORT croft_static ARCHIVE COMPONENT devel FILE_SET HEADERS COMPONENT devel)
install(TARGETS croft_module DESTINATION ${CMAKE_INSTALL_LIBDIR}/lua/5.4 COMPONENT lua)
install(FILES lua/host/croft.lua DESTINATION ${CMAKE_INSTALL_DATADIR}/lua/5.4 COMPONENT lua)
install(FILES lua/host/testing.lua DESTINATION ${CMAKE_INSTALL_DATADIR}/lua/5.4/croft COMPONENT lua)

# ---- for others' CMake -----------------------------------------------------------------------------
foreach(kind IN ITEMS shared static)
    install(EXPORT croft_${kind} NAMESPACE croft:: FILE croft-${kind}.cmake DESTINATION ${package}
            COMPONENT devel)
endforeach()
configure_package_config_file(core/cmake/croft-config.cmake.in croft-config.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(croft-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/croft-config.cmake ${PROJECT_BINARY_DIR}/croft-config-version.cmake
        DESTINATION ${package} COMPONENT devel)

# ---- for pkg-config --------------------------------------------------------------------------------
file(RELATIVE_PATH pc_prefix /x/${CMAKE_INSTALL_LIBDIR}/pkgconfig /x)
configure_file(core/cmake/croft.pc.in croft.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/croft.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT devel)

# ---- to read ---------------------------------------------------------------------------------------
# The program writes its manual page itself, where it can be run.
if(NOT (CMAKE_CROSSCOMPILING OR CROFT_SANITIZE OR CROFT_COVERAGE))
    add_custom_command(OUTPUT croft.1 COMMAND croft_cli help --man > croft.1 DEPENDS croft_cli VERBATIM
                       COMMENT "Writing the manual page")
    add_custom_target(croft_manual ALL DEPENDS ${PROJECT_BINARY_DIR}/croft.1)
    install(FILES ${PROJECT_BINARY_DIR}/croft.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
endif()
install(FILES README.md CHANGELOG.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
set(examples ${CMAKE_INSTALL_DOCDIR}/examples)
install(DIRECTORY examples/custom-tool DESTINATION ${examples} COMPONENT program)
install(DIRECTORY examples/embed DESTINATION ${examples} COMPONENT devel)
install(DIRECTORY examples/embed-lua DESTINATION ${examples} COMPONENT lua)
