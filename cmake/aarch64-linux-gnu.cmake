# A build for AArch64 on another machine: Debian's cross compiler and its arm64 libraries (scripts/install_deps.sh
# --aarch64), the programs run by qemu-user. What processor that plays is in the environment: QEMU_CPU=max, or
# cortex-a72; what it is asked for here would hold for all tests.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
find_program(SLIDEBENCH_QEMU NAMES qemu-aarch64 qemu-aarch64-static REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR "${SLIDEBENCH_QEMU}")

# Debian's libraries of several architectures lie side by side; the compiler tells CMake which are its own.
find_program(PKG_CONFIG_EXECUTABLE NAMES pkg-config)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
