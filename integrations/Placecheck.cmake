# include(Placecheck) adds the target `placecheck`, which checks the project with the flags that CMake
# compiles it with:
#
#   list(APPEND CMAKE_MODULE_PATH ${CMAKE_SOURCE_DIR}/cmake)   # where this file is
#   include(Placecheck)
#   placecheck_target(PATHS src apps ARGUMENTS --fail-on=error)
#
#   cmake --build build --target placecheck
include_guard(GLOBAL)

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
find_program(PLACECHECK_EXECUTABLE placecheck DOC "pip install placecheck")

function(placecheck_target)
  cmake_parse_arguments(PARSE_ARGV 0 given "" "NAME" "PATHS;ARGUMENTS")
  if(NOT given_NAME)
    set(given_NAME placecheck)
  endif()
  if(NOT given_PATHS)
    set(given_PATHS ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  if(NOT PLACECHECK_EXECUTABLE)
    message(STATUS "placecheck was not found: there is no target ${given_NAME}")
    return()
  endif()
  add_custom_target(${given_NAME}
    COMMAND ${PLACECHECK_EXECUTABLE} -p ${CMAKE_BINARY_DIR} ${given_ARGUMENTS} ${given_PATHS}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    COMMENT "Checking where tensors are"
    USES_TERMINAL VERBATIM)
endfunction()
