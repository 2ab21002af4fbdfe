# add_method: turns a method's header into loadable modules. One line a method:
#
#   add_method(lookup/kindergarten Kindergarten)              # methods/lookup/kindergarten.hpp, struct Kindergarten
#   add_method(simd/some_method Some LEVEL v3)                # needs x86-64-v3 at least
#   add_method(pext/pext Pext LEVEL v3 sve2-bitperm)          # that, or SVE2 with bit permutation on AArch64
#   add_method(simd/some_method Some LEVEL v3 FEATURES gfni)  # and one feature beyond the level
#   add_method(mine Mine SOURCES theirs.cpp DEFINITIONS FAST=1)  # with sources and macros of their own
#   add_method(lookup/superset_sissy SupersetSissy EXTRA)     # not among the methods that commands take by default
#
# EXTRA methods are those of interest for completeness: built with -DSLIDEBENCH_METHODS=all, and chosen by name or by
# `--method extra`. Outside the tree they are always built.
#
# LEVEL names the lowest level of each architecture that the method can be built for (levels.cmake); without it the method is
# for any CPU.
#
# The id is the header's file stem. For every level of SLIDEBENCH_LEVELS that is at least LEVEL (or for LEVEL alone, if
# none is) it makes <id>.<level>.so, and for the lowest of them <id>.<level>.traced.so, which reports its table
# accesses. TWICE, or the id's being in SLIDEBENCH_TWICE, adds <id>.<level>.twice.so, which asks every query twice
# (asked_twice.hpp). A method that is for other architectures only is left out.
#
# Each module that is timed has SLIDEBENCH_PLACEMENTS layouts of its branches (placements.cmake).
#
# The engine is most of what a module costs to build: SLIDEBENCH_ENGINES says which methods get it, `known` (those that
# known_methods.hpp names), a list of `known` and ids, or `all`, as outside the tree.
#
# This file also serves plug-ins outside the tree: find_package(slidebench), then slidebench_add_method(), which is
# add_method() by another name (harness/README.md).

# The folder of the headers: a checkout, or include/slidebench of an installation, where this file is in lib/cmake.
get_filename_component(SLIDEBENCH_ROOT "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
if(NOT EXISTS "${SLIDEBENCH_ROOT}/methods/method.hpp")
  get_filename_component(SLIDEBENCH_ROOT "${CMAKE_CURRENT_LIST_DIR}/../../../include/slidebench" ABSOLUTE)
endif()
# Without a build type there is neither optimisation outside the kernels nor NDEBUG, and assert() would be timed.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(SLIDEBENCH_MODULE_TEMPLATE "${CMAKE_CURRENT_LIST_DIR}/module.cpp.in")
set(SLIDEBENCH_ENGINE_TEMPLATE "${CMAKE_CURRENT_LIST_DIR}/engine.cpp.in")
file(STRINGS "${SLIDEBENCH_ROOT}/harness/plugin/known_methods.hpp" SLIDEBENCH_KNOWN_METHODS REGEX "\"[a-z0-9_]+\"")
set(SLIDEBENCH_EXPORTS "${CMAKE_CURRENT_LIST_DIR}/module.exports")
if(NOT SLIDEBENCH_PLUGIN_DIR)
  set(SLIDEBENCH_PLUGIN_DIR "${CMAKE_BINARY_DIR}/plugins")
endif()

# What is measured is compiled alike for every method. Vectorising is left to the methods that do it by hand: a
# compiler that turns one scalar method's loop into vector code would credit it with a flag. Alignment is fixed, so that
# one module's loops do not lie better than another's by chance.
set(SLIDEBENCH_KERNEL_FLAGS -O3 -fno-stack-protector -falign-functions=64 -ffunction-sections -fdata-sections
                            -fvisibility=hidden -fvisibility-inlines-hidden -fno-exceptions -fno-rtti)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  list(APPEND SLIDEBENCH_KERNEL_FLAGS -fno-vectorize -fno-slp-vectorize)
else()
  list(APPEND SLIDEBENCH_KERNEL_FLAGS -fno-tree-vectorize -fno-tree-slp-vectorize -falign-loops=32)
  # The loop around the queries has the same branches for every method: GCC copies the test "has the node such queries?" into
  # the kernels of some methods, where a processor then foresees it better (by up to 30 % of the time on an Intel Xeon).
  list(APPEND SLIDEBENCH_KERNEL_FLAGS --param=max-grow-copy-bb-insns=1)
endif()
if(SLIDEBENCH_SANITIZE)
  # Nothing is measured under the sanitizers, whose checks take a compiler minutes to optimise at -O3.
  list(TRANSFORM SLIDEBENCH_KERNEL_FLAGS REPLACE "^-O3$" -O1)
endif()

include("${CMAKE_CURRENT_LIST_DIR}/levels.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/placements.cmake")

# All that the compiler is told about a module's code, for the reader of a run: the project's flags, those of its build
# type, the kernels', the machine's, and the macros that the author of the method defines. Of levels of optimisation the last
# counts, which is the kernels', and symbols change no code.
function(slidebench_flags_text out)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  list(TRANSFORM arg_DEFINITIONS PREPEND "-D" OUTPUT_VARIABLE definitions)
  separate_arguments(project_flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
  list(FILTER project_flags EXCLUDE REGEX "^-[Og]")
  string(JOIN " " text ${project_flags} ${ARGN} ${definitions})
  string(REPLACE "\"" "'" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# The standard headers, and the engine's constant tables, of the modules that are compiled with the same flags, compiled
# once: half of a module's build is reading the former, a tenth of its engine's is working the latter out.
function(slidebench_standard_headers flags out)
  string(MD5 key "${flags}")
  string(SUBSTRING "${key}" 0 8 key)
  set(target "slidebench_standard_headers_${key}")
  set(${out} ${target} PARENT_SCOPE)
  if(TARGET ${target})
    return()
  endif()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/modules/standard_headers.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// Generated by add_method(): empty.\n")
  set(vectors "")
  if(SLIDEBENCH_ARCHITECTURE STREQUAL "x86-64")
    set(vectors <immintrin.h>)
  elseif(SLIDEBENCH_ARCHITECTURE STREQUAL "AArch64")
    set(vectors <arm_neon.h>)
  endif()
  add_library(${target} OBJECT EXCLUDE_FROM_ALL "${source}")
  set_target_properties(${target} PROPERTIES CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
                                             POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
  target_compile_options(${target} PRIVATE ${flags})
  if(TARGET slidebench_warnings)
    target_link_libraries(${target} PRIVATE slidebench_warnings)
  endif()
  target_include_directories(${target} PRIVATE "${SLIDEBENCH_ROOT}")
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <bit> <concepts> <cstddef> <cstdint> <cstdlib> <new> <span>
                                              <string_view> <type_traits> <utility> ${vectors}
                                              "${SLIDEBENCH_ROOT}/harness/chess/leapers.hpp"
                                              "${SLIDEBENCH_ROOT}/harness/engine/zobrist.hpp")
endfunction()

# Whether the engine is compiled with a method into it.
function(slidebench_has_engine id out)
  set(list "${SLIDEBENCH_ENGINES}")
  set(${out} TRUE PARENT_SCOPE)
  if(known IN_LIST list AND NOT id IN_LIST list AND NOT SLIDEBENCH_KNOWN_METHODS MATCHES "\"${id}\"")
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()

# The module of a method `type`.
function(slidebench_module id SLIDEBENCH_HEADER type level role)
  set(SLIDEBENCH_TYPE "slidebench::${type}")
  set(SLIDEBENCH_ID "${id}")
  set(source "${CMAKE_CURRENT_BINARY_DIR}/modules/${id}")
  if(role STREQUAL "twice")
    set(SLIDEBENCH_TYPE "slidebench::AskedTwice<slidebench::${type}>")
    string(APPEND source ".twice")
  endif()
  configure_file("${SLIDEBENCH_MODULE_TEMPLATE}" "${source}.cpp" @ONLY)
  set(sources "${source}.cpp")
  slidebench_has_engine("${id}" has_engine)
  if(role STREQUAL "traced")
    set(has_engine FALSE)
  endif()
  if(has_engine)
    configure_file("${SLIDEBENCH_ENGINE_TEMPLATE}" "${source}.engine.cpp" @ONLY)
    list(APPEND sources "${source}.engine.cpp")
  endif()
  slidebench_module_of("${sources}" "${id}" "${level}" "${role}" ${ARGN})
  target_compile_definitions("${target}" PRIVATE $<$<BOOL:${has_engine}>:SLIDEBENCH_HAS_ENGINE>)
endfunction()

# The module of these sources, compiled as all are; `target` is its name.
function(slidebench_module_of sources id level role)
  set(suffix "")
  if(NOT role STREQUAL "timed")
    set(suffix ".${role}")
  endif()
  set(target "${id}.${level}${suffix}")
  set(target ${target} PARENT_SCOPE)

  set(isa "slidebench::Isa::none")
  set(machine_flags ${SLIDEBENCH_FLAGS_${level}})
  foreach(feature IN LISTS ARGN)
    list(APPEND machine_flags "-m${feature}")
    string(APPEND isa "|slidebench::Isa::${feature}")
  endforeach()
  list(FIND SLIDEBENCH_ARCHITECTURE_LEVELS "${level}" place)
  math(EXPR level_number "${place} + 1")
  set(kernel_flags "${SLIDEBENCH_KERNEL_FLAGS}")
  if(role STREQUAL "traced")
    # Simulated, not timed: what it reads does not depend on how well it was optimised.
    list(TRANSFORM kernel_flags REPLACE "^-O3$" -O1)
  endif()
  slidebench_flags_text(flags_text ${kernel_flags} ${machine_flags})

  add_library(${target} MODULE ${sources} ${arg_SOURCES})
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME "${target}" CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON
                                             CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF
                                             LIBRARY_OUTPUT_DIRECTORY "${SLIDEBENCH_PLUGIN_DIR}")
  target_include_directories(${target} PRIVATE "${SLIDEBENCH_ROOT}")
  target_compile_options(${target} PRIVATE ${kernel_flags} ${machine_flags})
  # GCC 12 forgets its SVE functions where headers come precompiled.
  if(NOT level MATCHES "^sve2")
    slidebench_standard_headers("${kernel_flags};${machine_flags}" standard_headers)
    target_precompile_headers(${target} REUSE_FROM ${standard_headers})
  endif()
  target_compile_definitions(
    ${target} PRIVATE SLIDEBENCH_LEVEL=${level_number} "SLIDEBENCH_COMPILED_ISA=(${isa})" SLIDEBENCH_GROUP=MethodGroup::${group}
                      SLIDEBENCH_ROLE=ModuleRole::${role} "SLIDEBENCH_FLAGS=\"${flags_text}\""
                      $<$<STREQUAL:${role},traced>:SLIDEBENCH_TRACED>
                      ${arg_DEFINITIONS})
  if(level STREQUAL "v4" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 takes the unused operands inside its AVX-512 intrinsics for uninitialised variables (GCC bug 105593).
    target_compile_options(${target} PRIVATE -Wno-uninitialized -Wno-maybe-uninitialized)
  endif()
  set_property(GLOBAL APPEND PROPERTY SLIDEBENCH_MODULES "${target}")
  # Only the descriptor leaves the module: no symbol of it can ever be merged with another module's.
  target_link_options(${target} PRIVATE "LINKER:--version-script=${SLIDEBENCH_EXPORTS}")
  set_target_properties(${target} PROPERTIES LINK_DEPENDS "${SLIDEBENCH_EXPORTS}")
  if(TARGET slidebench_warnings)
    target_link_libraries(${target} PRIVATE slidebench_warnings)
  endif()
  if(NOT role STREQUAL "traced")
    slidebench_place_elsewhere(${target})
  endif()
endfunction()

# Whether SLIDEBENCH_METHODS asks for a method. A list of ids always has the empty loop and the reference; outside the tree
# there is no such choice.
function(slidebench_is_asked_for id group out)
  set(list empty magic_fancy ${SLIDEBENCH_METHODS})
  set(asked FALSE)
  if(NOT SLIDEBENCH_METHODS OR SLIDEBENCH_METHODS STREQUAL "all" OR id IN_LIST list
     OR (core IN_LIST list AND group STREQUAL "core"))
    set(asked TRUE)
  endif()
  set(${out} ${asked} PARENT_SCOPE)
endfunction()

function(add_method header_stem type)
  cmake_parse_arguments(PARSE_ARGV 2 arg "TWICE;EXTRA" "" "LEVEL;FEATURES;SOURCES;DEFINITIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_method(${header_stem}): use add_method(folder/id Type [LEVEL level...] [FEATURES f...] [SOURCES file...] [DEFINITIONS macro...] [TWICE] [EXTRA])")
  endif()
  set(group core)
  if(arg_EXTRA)
    set(group extra)
  endif()
  get_filename_component(id "${header_stem}" NAME)
  get_filename_component(header "${header_stem}.hpp" ABSOLUTE)
  if(NOT EXISTS "${header}")
    message(FATAL_ERROR "add_method(${header_stem}): there is no ${header}")
  endif()
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(source "${source}" ABSOLUTE)
    if(NOT EXISTS "${source}")
      message(FATAL_ERROR "add_method(${header_stem}): there is no ${source}")
    endif()
    # Foreign code includes what it needs itself, and may not want the standard headers first.
    set_source_files_properties("${source}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endforeach()

  set_property(GLOBAL APPEND PROPERTY SLIDEBENCH_METHOD_IDS "${id}")
  slidebench_is_asked_for("${id}" ${group} asked)
  if(NOT asked)
    return()
  endif()

  slidebench_levels_of("${id}" chosen ${arg_LEVEL})
  if(NOT chosen)
    message(STATUS "add_method(${id}): for ${arg_LEVEL}, not for ${SLIDEBENCH_ARCHITECTURE}")
    return()
  endif()
  if(NOT SLIDEBENCH_ARCHITECTURE STREQUAL "x86-64")
    set(arg_FEATURES "")  # those of x86-64, beyond its levels
  endif()

  if(SLIDEBENCH_ARCHITECTURE STREQUAL "wasm32")
    # No shared objects there: extras/web makes one module of all methods.
    set_property(GLOBAL APPEND PROPERTY SLIDEBENCH_WASM_METHODS "${id}:${header}:${type}")
    return()
  endif()

  set(roles timed)
  set(asked_twice "${SLIDEBENCH_TWICE}")
  if(arg_TWICE OR id IN_LIST asked_twice)
    list(APPEND roles twice)
  endif()
  foreach(level IN LISTS chosen)
    foreach(role IN LISTS roles)
      slidebench_module("${id}" "${header}" "${type}" "${level}" ${role} ${arg_FEATURES})
    endforeach()
  endforeach()
  list(GET chosen 0 lowest_level)
  slidebench_module("${id}" "${header}" "${type}" "${lowest_level}" traced ${arg_FEATURES})
  set_property(GLOBAL APPEND PROPERTY SLIDEBENCH_BUILT_METHODS "${id}")
endfunction()

function(slidebench_add_method)
  add_method(${ARGV})
endfunction()
