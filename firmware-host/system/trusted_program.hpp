/// A program that the service may start in its own name. It is checked on the descriptor that is
/// executed, so that nothing can replace it between the check and the start.
///
/// File and folders belong to root or the service's user, and no one else may write to them. It is a binary: a script would
/// be read by another program, by a name that may be another file then.
/// Threads: any.
#pragma once

#include "drivers/serial/owned_fd.hpp"
#include "src/base/result.hpp"

#include <string>
#include <sys/types.h>

namespace smsrack::host {

class TrustedProgram {
public:
    /// `own`: uid of the service.
    /// Errors:  bad_request: there is no program that this process may run. forbidden: not trusted, or no binary; `context`
    ///          says what is wrong and how to mend it.
    [[nodiscard]] static Result<TrustedProgram> open(const std::string& path, uid_t own);

    /// As it was asked for.
    [[nodiscard]] const std::string& path() const { return path_; }
    /// hash128_text() of its octets.
    /// Errors:  bad_request: it can't be read.
    [[nodiscard]] Result<std::string> hash() const;
    /// Errors:  conflict: its hash is another one; those of hash(). An empty `hash` is that of any.
    [[nodiscard]] Result<> require(const std::string& hash) const;
    /// The name of the descriptor, to execute; valid in this process and in its child before exec,
    /// while this object exists.
    [[nodiscard]] const std::string& exec_path() const { return exec_path_; }

private:
    TrustedProgram(std::string path, serial::OwnedFd fd);

    std::string path_;
    serial::OwnedFd fd_;
    std::string exec_path_;
};

/// hash128_text() of the program of this process, also where its file was removed or replaced.
/// Errors:  bad_request: it can't be read.
[[nodiscard]] Result<std::string> hash_of_running_program();

}  // namespace smsrack::host
