# The same code runs faster or slower where it lies elsewhere, and one build is one draw. So each module that is timed is
# linked SLIDEBENCH_PLACEMENTS times from the same objects, with functions and constants in another order: the first into
# the folder of the modules, the others into its folders placement1, placement2 and so on. Each process run draws one. It
# takes lld (--shuffle-sections); without it there is one placement.

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
