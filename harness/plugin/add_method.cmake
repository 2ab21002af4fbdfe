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
# LEVEL names the lowest level of each architecture that the method can be built for; without it the method is for any
# CPU. The levels, each with all that the ones before it have:
#
#   x86-64     v1, v2, v3, v4     its microarchitecture levels
#   AArch64    a64                Armv8.0, with NEON
#              sve2               Armv8.2 with SVE2, whatever the length of a vector
#              sve2-bitperm       and with its BEXT, BDEP and BGRP (FEAT_SVE_BitPerm)
#   wasm32     simd128            WebAssembly with 128-bit vectors
#   others     generic            what the compiler takes for the architecture's baseline
#
# The id is the header's file stem. For every level of SLIDEBENCH_LEVELS that is at least LEVEL (or for LEVEL alone, if
# none is) it makes <id>.<level>.so, and for the lowest of them <id>.<level>.traced.so, which reports its table
# accesses. TWICE, or the id's being in SLIDEBENCH_TWICE, adds <id>.<level>.twice.so, which asks every query twice
# (asked_twice.hpp). A method that is for other architectures only is left out, but `slidebench export` knows it.
#
# The same code runs faster or slower where it lies elsewhere, and one build is one draw. So each module that is timed is
# linked SLIDEBENCH_PLACEMENTS times from the same objects, with functions and constants in another order: the first into
# the folder of the modules, the others into its folders placement1, placement2 and so on. Each process run draws one. It
# takes lld (--shuffle-sections); without it there is one placement.
#
# The engine, compiled with a method into it, is most of what a module costs to build: SLIDEBENCH_ENGINES says which methods
# get one, `known` (those that known_methods.hpp names, and the stores) or `all`, as outside the tree.
#
# This file also serves plug-ins outside the tree: find_package(slidebench), then slidebench_add_method(), which is
# add_method() by another name (outside.md).

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
set(SLIDEBENCH_STORES_TEMPLATE "${CMAKE_CURRENT_LIST_DIR}/stores.cpp.in")
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
  # the kernels of some methods, where a processor then foresees it better (by up to 30 % of the time on an Intel Xeon; loop.md).
  list(APPEND SLIDEBENCH_KERNEL_FLAGS --param=max-grow-copy-bb-insns=1)
endif()
if(SLIDEBENCH_SANITIZE)
  # Nothing is measured under the sanitizers, whose checks take a compiler minutes to optimise at -O3.
  list(TRANSFORM SLIDEBENCH_KERNEL_FLAGS REPLACE "^-O3$" -O1)
endif()

# The architecture that modules are built for, its levels in rising order (a module's SLIDEBENCH_LEVEL is the place of its
# level, from 1 on), and what the compiler is told for each.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  set(SLIDEBENCH_ARCHITECTURE x86-64)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(SLIDEBENCH_ARCHITECTURE AArch64)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
  set(SLIDEBENCH_ARCHITECTURE wasm32)
else()
  set(SLIDEBENCH_ARCHITECTURE "${CMAKE_SYSTEM_PROCESSOR}")
endif()
set(SLIDEBENCH_LEVELS_x86-64 v1 v2 v3 v4)
set(SLIDEBENCH_LEVELS_AArch64 a64 sve2 sve2-bitperm)
set(SLIDEBENCH_LEVELS_wasm32 simd128)
set(SLIDEBENCH_KNOWN_LEVELS ${SLIDEBENCH_LEVELS_x86-64} ${SLIDEBENCH_LEVELS_AArch64} ${SLIDEBENCH_LEVELS_wasm32} generic)
if(DEFINED SLIDEBENCH_LEVELS_${SLIDEBENCH_ARCHITECTURE})
  set(SLIDEBENCH_ARCHITECTURE_LEVELS ${SLIDEBENCH_LEVELS_${SLIDEBENCH_ARCHITECTURE}})
else()
  set(SLIDEBENCH_ARCHITECTURE_LEVELS generic)
endif()
set(SLIDEBENCH_FLAGS_v1 -march=x86-64)
set(SLIDEBENCH_FLAGS_v2 -march=x86-64-v2)
set(SLIDEBENCH_FLAGS_v3 -march=x86-64-v3)
set(SLIDEBENCH_FLAGS_v4 -march=x86-64-v4)
set(SLIDEBENCH_FLAGS_a64 -march=armv8-a)
set(SLIDEBENCH_FLAGS_sve2 -march=armv8.2-a+sve2)
set(SLIDEBENCH_FLAGS_sve2-bitperm -march=armv8.2-a+sve2-bitperm)
set(SLIDEBENCH_FLAGS_simd128 -msimd128)

# The levels that the user names, or the one this machine runs best. No compiler makes other code of scalar methods for
# SVE2, so that on AArch64 this is a64; methods that need more are built for what they need.
function(slidebench_default_levels out)
  if(SLIDEBENCH_LEVELS)
    set(${out} "${SLIDEBENCH_LEVELS}" PARENT_SCOPE)
    return()
  endif()
  list(GET SLIDEBENCH_ARCHITECTURE_LEVELS 0 level)
  if(SLIDEBENCH_ARCHITECTURE STREQUAL "x86-64")
    set(cpu "")
    if(EXISTS /proc/cpuinfo)
      file(STRINGS /proc/cpuinfo cpu REGEX "^flags" LIMIT_COUNT 1)
    endif()
    if(cpu MATCHES " avx2 " AND cpu MATCHES " bmi2 " AND cpu MATCHES " fma ")
      set(level v3)
    elseif(NOT cpu OR (cpu MATCHES " ssse3 " AND cpu MATCHES " sse4_2 " AND cpu MATCHES " popcnt "))
      set(level v2)
    endif()
  endif()
  set(${out} ${level} PARENT_SCOPE)
endfunction()

# The levels that a method is built for: those of the default that it can be built for, or its lowest; none if it is for
# other architectures only. ARGN: the lowest level of each architecture, if it names any.
function(slidebench_levels_of id out)
  set(possible "${SLIDEBENCH_ARCHITECTURE_LEVELS}")
  if(ARGN)
    set(lowest "")
    foreach(level IN LISTS ARGN)
      if(NOT level IN_LIST SLIDEBENCH_KNOWN_LEVELS)
        message(FATAL_ERROR "add_method(${id}): LEVEL: '${level}' is not a level; use one of ${SLIDEBENCH_KNOWN_LEVELS}")
      endif()
      if(level IN_LIST possible)
        set(lowest "${level}")
      endif()
    endforeach()
    list(FIND possible "${lowest}" place)
    if(place EQUAL -1)
      set(${out} "" PARENT_SCOPE)
      return()
    endif()
    list(SUBLIST possible ${place} -1 possible)
  endif()

  slidebench_default_levels(levels)
  set(chosen "")
  foreach(level IN LISTS levels)
    if(NOT level IN_LIST SLIDEBENCH_ARCHITECTURE_LEVELS)
      message(FATAL_ERROR "SLIDEBENCH_LEVELS: '${level}' is not a level of ${SLIDEBENCH_ARCHITECTURE}; use a list of ${SLIDEBENCH_ARCHITECTURE_LEVELS}")
    endif()
  endforeach()
  foreach(level IN LISTS possible)
    if(level IN_LIST levels)
      list(APPEND chosen "${level}")
    endif()
  endforeach()
  if(NOT chosen)
    list(GET possible 0 chosen)
  endif()
  set(${out} "${chosen}" PARENT_SCOPE)
endfunction()

# All that the compiler is told about a module's code, for the reader of a run: the project's flags, those of its build
# type, the kernels', the machine's, and the macros that the author of the method defines.
function(slidebench_flags_text out)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  list(TRANSFORM arg_DEFINITIONS PREPEND "-D" OUTPUT_VARIABLE definitions)
  separate_arguments(project_flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
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
                                              "${SLIDEBENCH_ROOT}/stores/leapers.hpp"
                                              "${SLIDEBENCH_ROOT}/harness/engine/zobrist.hpp")
endfunction()

# Whether the engine is compiled with a method into it.
function(slidebench_has_engine id out)
  set(${out} TRUE PARENT_SCOPE)
  if(SLIDEBENCH_ENGINES STREQUAL "known" AND NOT SLIDEBENCH_KNOWN_METHODS MATCHES "\"${id}\"" AND NOT group STREQUAL "store")
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()

# The module of a method `type`, or of a store that asks it: `store` is the store's type, with the method's in it, else empty.
# `headers` are those that it is made of.
function(slidebench_module id headers type store level role)
  list(TRANSFORM headers REPLACE "(.+)" "#include \"\\1\"" OUTPUT_VARIABLE includes)
  list(JOIN includes "\n" SLIDEBENCH_INCLUDES)
  set(SLIDEBENCH_TYPE "slidebench::${type}")
  set(SLIDEBENCH_ID "${id}")
  set(source "${CMAKE_CURRENT_BINARY_DIR}/modules/${id}")
  if(role STREQUAL "twice")
    set(SLIDEBENCH_TYPE "slidebench::AskedTwice<slidebench::${type}>")
    string(APPEND source ".twice")
  endif()
  if(store)
    set(SLIDEBENCH_STORE "${store}")
    set(SLIDEBENCH_KEPT "${store}")
    set(SLIDEBENCH_DESCRIBED "${store}")
    set(SLIDEBENCH_TYPES "${SLIDEBENCH_TYPE}, ${store}")
  else()
    set(SLIDEBENCH_STORE "AskAnew<${SLIDEBENCH_TYPE}>")
    set(SLIDEBENCH_KEPT NoStore)
    set(SLIDEBENCH_DESCRIBED "${SLIDEBENCH_TYPE}")
    set(SLIDEBENCH_TYPES "${SLIDEBENCH_TYPE}")
  endif()
  configure_file("${SLIDEBENCH_MODULE_TEMPLATE}" "${source}.cpp" @ONLY)
  configure_file("${SLIDEBENCH_STORES_TEMPLATE}" "${source}.stores.cpp" @ONLY)
  set(sources "${source}.cpp" "${source}.stores.cpp")
  set(has_engine FALSE)
  if(NOT role STREQUAL "traced")
    slidebench_has_engine("${id}" has_engine)
  endif()
  if(has_engine)
    configure_file("${SLIDEBENCH_ENGINE_TEMPLATE}" "${source}.engine.cpp" @ONLY)
    list(APPEND sources "${source}.engine.cpp")
  endif()

  set(suffix "")
  if(NOT role STREQUAL "timed")
    set(suffix ".${role}")
  endif()
  set(target "${id}.${level}${suffix}")

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
    ${target} PRIVATE SLIDEBENCH_LEVEL=${level_number} "SLIDEBENCH_COMPILED_ISA=${isa}" SLIDEBENCH_GROUP=MethodGroup::${group}
                      SLIDEBENCH_ROLE=ModuleRole::${role} "SLIDEBENCH_FLAGS=\"${flags_text}\""
                      $<$<STREQUAL:${role},traced>:SLIDEBENCH_TRACED> $<$<BOOL:${has_engine}>:SLIDEBENCH_HAS_ENGINE>
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

# Links a module's objects again for each further placement.
function(slidebench_place_elsewhere target)
  slidebench_last_placement(last)
  if(last EQUAL 0)
    return()
  endif()
  separate_arguments(project_flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS}")
  set(commands "")
  set(modules "")
  foreach(placement RANGE 1 ${last})
    set(folder "${SLIDEBENCH_PLUGIN_DIR}/placement${placement}")
    file(MAKE_DIRECTORY "${folder}")
    list(APPEND modules "${folder}/${target}.so")
    list(APPEND commands COMMAND ${CMAKE_CXX_COMPILER} ${project_flags} -shared -fuse-ld=lld
                "LINKER:--shuffle-sections=.text*=${placement}" "LINKER:--shuffle-sections=.rodata*=${placement}"
                "LINKER:--version-script=${SLIDEBENCH_EXPORTS}" -o "${folder}/${target}.so" "$<TARGET_OBJECTS:${target}>")
  endforeach()
  list(TRANSFORM commands REPLACE "^LINKER:" "-Wl,")
  add_custom_command(TARGET ${target} POST_BUILD ${commands} BYPRODUCTS ${modules} VERBATIM COMMAND_EXPAND_LISTS)
endfunction()

# The number of the last placement; the linker's own is 0. Cross-compiled modules, and those with sanitizers, are not
# measured here.
function(slidebench_last_placement out)
  set(last 0)
  set(placements "${SLIDEBENCH_PLACEMENTS}")
  if(placements AND NOT placements MATCHES "^([1-9]|[1-5][0-9]|6[0-4])$")
    message(FATAL_ERROR "SLIDEBENCH_PLACEMENTS: '${placements}' is not a number of placements from 1 to 64")
  endif()
  find_program(SLIDEBENCH_LLD ld.lld)
  if(placements AND SLIDEBENCH_LLD AND NOT SLIDEBENCH_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    math(EXPR last "${placements} - 1")
  endif()
  set(${out} ${last} PARENT_SCOPE)
endfunction()

# Whether SLIDEBENCH_METHODS asks for a method. A list of ids always has the empty loop and the reference; outside the tree
# there is no such choice.
function(slidebench_is_asked_for id group out)
  set(list empty magic_fancy ${SLIDEBENCH_METHODS})
  set(asked FALSE)
  if(NOT SLIDEBENCH_METHODS OR SLIDEBENCH_METHODS STREQUAL "all" OR id IN_LIST list)
    set(asked TRUE)
  elseif(core IN_LIST list AND group STREQUAL "core")
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

  # Known to `slidebench export`, whether it is built or not.
  set_property(GLOBAL APPEND PROPERTY SLIDEBENCH_METHOD_SOURCES "${id}:methods/${header_stem}.hpp:${type}")
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
    # No shared objects there: harness/wasm makes one module of all methods.
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
      slidebench_module("${id}" "${header}" "${type}" "" "${level}" ${role} ${arg_FEATURES})
    endforeach()
  endforeach()
  list(GET chosen 0 lowest_level)
  slidebench_module("${id}" "${header}" "${type}" "" "${lowest_level}" traced ${arg_FEATURES})
  set_property(GLOBAL APPEND PROPERTY SLIDEBENCH_BUILT_METHODS "${id}")
endfunction()

# add_store: a store's header, and the sliding method that it asks. One line a store, see stores/CMakeLists.txt:
#
#   add_store(rows Rows calculation/hyperbola Hyperbola)               # stores/rows.hpp, template <AttackMethod M> class Rows
#   add_store(rows_avx2 RowsAvx2 pext/pext Pext LEVEL v3 COPIED)       # and rows_avx2_copy, which copies instead of unmaking
#
# LEVEL and FEATURES as of a method: what the store needs, and its method. Stores are built with -DSLIDEBENCH_METHODS=all, or
# where that names them.
function(add_store id type method_stem method)
  cmake_parse_arguments(PARSE_ARGV 4 arg "COPIED" "" "LEVEL;FEATURES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_store(${id}): use add_store(id Type folder/method Method [LEVEL level...] [FEATURES f...] [COPIED])")
  endif()
  set(headers "${PROJECT_SOURCE_DIR}/stores/${id}.hpp" "${PROJECT_SOURCE_DIR}/methods/${method_stem}.hpp")
  foreach(header IN LISTS headers)
    if(NOT EXISTS "${header}")
      message(FATAL_ERROR "add_store(${id}): there is no ${header}")
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY SLIDEBENCH_STORES "${id}")
  if(SLIDEBENCH_ARCHITECTURE STREQUAL "wasm32")
    return()
  endif()
  if(SLIDEBENCH_METHODS AND NOT SLIDEBENCH_METHODS STREQUAL "all" AND NOT id IN_LIST SLIDEBENCH_METHODS)
    return()
  endif()
  slidebench_levels_of("${id}" chosen ${arg_LEVEL})
  if(NOT chosen)
    message(STATUS "add_store(${id}): for ${arg_LEVEL}, not for ${SLIDEBENCH_ARCHITECTURE}")
    return()
  endif()
  if(NOT SLIDEBENCH_ARCHITECTURE STREQUAL "x86-64")
    set(arg_FEATURES "")
  endif()
  list(GET chosen 0 lowest_level)
  set(group store)
  set(kept "${id}")
  set(types "slidebench::${type}<slidebench::${method}>")
  if(arg_COPIED)
    list(APPEND kept "${id}_copy")
    list(APPEND types "slidebench::Copied<slidebench::${type}<slidebench::${method}>>")
  endif()
  foreach(name store IN ZIP_LISTS kept types)
    foreach(level IN LISTS chosen)
      slidebench_module("${name}" "${headers}" "${method}" "${store}" "${level}" timed ${arg_FEATURES})
    endforeach()
    slidebench_module("${name}" "${headers}" "${method}" "${store}" "${lowest_level}" traced ${arg_FEATURES})
    set_property(GLOBAL APPEND PROPERTY SLIDEBENCH_BUILT_METHODS "${name}")
  endforeach()
endfunction()

function(slidebench_add_method)
  add_method(${ARGV})
endfunction()
