# cmake --install: the program with its modules, the headers that a method needs, and the CMake package. Every place is
# relative to the prefix, so that the installed tree can be moved.
include(CMakePackageConfigHelpers)

install(TARGETS slidebench RUNTIME DESTINATION bin)
get_property(modules GLOBAL PROPERTY SLIDEBENCH_MODULES)
install(TARGETS ${modules} LIBRARY DESTINATION lib/slidebench/plugins)

foreach(folder methods harness/chess harness/engine harness/platform harness/plugin harness/pressure harness/trace)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/ DESTINATION include/slidebench/${folder}
          FILES_MATCHING PATTERN "*.hpp" PATTERN example EXCLUDE PATTERN new_method EXCLUDE
          PATTERN "*test*" EXCLUDE)
endforeach()

write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/slidebenchConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/slidebenchConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/slidebenchConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/add_method.cmake ${CMAKE_CURRENT_LIST_DIR}/levels.cmake
              ${CMAKE_CURRENT_LIST_DIR}/placements.cmake ${CMAKE_CURRENT_LIST_DIR}/module.cpp.in
              ${CMAKE_CURRENT_LIST_DIR}/engine.cpp.in
              ${CMAKE_CURRENT_LIST_DIR}/module.exports
        DESTINATION lib/cmake/slidebench)
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/layouts DESTINATION lib/cmake/slidebench)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/slidebench)

# The same package for the build tree: the program tells authors of methods where it is (slidebench new-method).
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/slidebenchConfig.cmake"
     CONTENT "include(\"${CMAKE_CURRENT_LIST_DIR}/add_method.cmake\")\n")
