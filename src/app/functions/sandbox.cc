// A filter of system calls (seccomp) that the kernel applies to a process and to all that it
// starts. Ordinary users may install one, in containers too, once they have given up gaining
// privileges by set-user-ID programs (no_new_privs).
//
// A network connection needs a socket. So the filter refuses to make sockets, also by io_uring. It
// also refuses what could borrow the socket of another process: to trace it, to change its memory
// or to copy its file descriptors. Sessions and process groups of its own are refused, so that
// killing the group of the program kills all that it started. System calls of other architectures
// have other numbers, so they end the process.
#include "app/functions/sandbox.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <thread>

namespace zermelo::app {
namespace {

#if defined(__x86_64__)
constexpr unsigned architecture = AUDIT_ARCH_X86_64;
constexpr unsigned first_foreign_call = 0x40000000;  // of the x32 architecture
#elif defined(__aarch64__)
constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
constexpr unsigned first_foreign_call = ~0u;
#else
constexpr unsigned architecture = 0;  // unknown
constexpr unsigned first_foreign_call = ~0u;
#endif

constexpr unsigned pidfd_getfd_call = 438;  // on all architectures; older headers do not name it

constexpr std::array<unsigned, 8> refused_calls = {
    SYS_socket,       SYS_io_uring_setup, SYS_ptrace,  SYS_process_vm_readv, SYS_process_vm_writev,
    pidfd_getfd_call, SYS_setsid,         SYS_setpgid,
};

constexpr sock_filter load(std::size_t offset) {
  return {BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<unsigned>(offset)};
}

// Skips `yes` instructions if the loaded value is `value`, and `no` otherwise.
constexpr sock_filter if_equal(unsigned value, unsigned char yes, unsigned char no) {
  return {BPF_JMP | BPF_JEQ | BPF_K, yes, no, value};
}

constexpr sock_filter end_with(unsigned action) { return {BPF_RET | BPF_K, 0, 0, action}; }

constexpr auto make_filter() {
  constexpr std::size_t first_call = 5, size = first_call + refused_calls.size() + 2;
  constexpr std::size_t refuse = size - 1;
  std::array<sock_filter, size> filter = {};
  filter[0] = load(offsetof(seccomp_data, arch));
  filter[1] = if_equal(architecture, 1, 0);
  filter[2] = end_with(SECCOMP_RET_KILL_PROCESS);
  filter[3] = load(offsetof(seccomp_data, nr));
  filter[4] = {BPF_JMP | BPF_JGE | BPF_K, refuse - 5, 0, first_foreign_call};
  for (std::size_t i = 0; i < refused_calls.size(); ++i) {
    const auto distance = static_cast<unsigned char>(refuse - (first_call + i) - 1);
    filter[first_call + i] = if_equal(refused_calls[i], distance, 0);
  }
  filter[refuse - 1] = end_with(SECCOMP_RET_ALLOW);
  filter[refuse] = end_with(SECCOMP_RET_ERRNO | EPERM);
  return filter;
}

constexpr auto filter = make_filter();

}  // namespace

int enter_sandbox() {
  if (architecture == 0) return ENOSYS;
  auto instructions = filter;
  sock_fprog program{static_cast<unsigned short>(instructions.size()), instructions.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0) return errno;
  return 0;
}

bool has_sandbox() {
  int error = 0;
  std::thread([&] { error = enter_sandbox(); }).join();
  return error == 0;
}

}  // namespace zermelo::app
