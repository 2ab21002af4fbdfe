# Version, commit and libraries, for reports: slidebench_version. Included where all packages have been found.
find_package(CLI11 REQUIRED)
# Whose versions a report names; PAPI's only where there is one. What find_package() found out elsewhere is not known here.
find_package(benchmark REQUIRED)
find_package(nlohmann_json REQUIRED)
set(versions "google_benchmark=${benchmark_VERSION}" "papi=${PAPI_VERSION}" "hwloc=${HWLOC_VERSION}" "cli11=${CLI11_VERSION}"
             "nlohmann_json=${nlohmann_json_VERSION}")
list(FILTER versions EXCLUDE REGEX "=$")
list(TRANSFORM versions REPLACE "(.*)=(.*)" "\"\\1\": \"\\2\"")
list(JOIN versions ", " versions)
set(SLIDEBENCH_LIBRARIES "{${versions}}")

# Rewritten at every build, so that reports name the commit that they were really built from.
set(version_source "${CMAKE_CURRENT_BINARY_DIR}/version.cpp")
add_custom_target(
  slidebench_write_version
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DOUT=${version_source}
          -DSLIDEBENCH_VERSION=${PROJECT_VERSION} "-DSLIDEBENCH_COMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
          -DSLIDEBENCH_BUILD_TYPE=${CMAKE_BUILD_TYPE} "-DSLIDEBENCH_LIBRARIES=${SLIDEBENCH_LIBRARIES}"
          -P ${CMAKE_CURRENT_LIST_DIR}/write_version.cmake
  BYPRODUCTS ${version_source}
  VERBATIM)
add_library(slidebench_version STATIC "${version_source}")
set_target_properties(slidebench_version PROPERTIES UNITY_BUILD OFF)  # one source, which no unit can have before a build
target_include_directories(slidebench_version PUBLIC ${PROJECT_SOURCE_DIR})
add_dependencies(slidebench_version slidebench_write_version)
