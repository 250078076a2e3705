/// The successor program, as the old one sees it: started, asked for its identity, given
/// everything, released.
///
/// There is never a second writer: until the successor has confirmed the hand-over it touches
/// nothing but the store, which is closed here. If it does not confirm, it is ended before anything
/// is opened again.
/// Threads: the main thread.
/// Errors:  as HandOverLink, in words for the administrator; not_allowed: it can't be started.
/// Source:  docs/decisions/0018-hand-over.md.
#pragma once

#include "drivers/serial/owned_fd.hpp"
#include "firmware-host/system/trusted_program.hpp"
#include "firmware-host/upgrade/hand_over_link.hpp"
#include "src/base/result.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace smsrack::host {

/// Starts a program with these arguments (behind its name) and this descriptor as its number `inherited_fd`; nothing else
/// is inherited but standard streams and environment. not_allowed: why not.
inline constexpr int inherited_fd = 3;
[[nodiscard]] Result<pid_t> start_program(const TrustedProgram& program,
                                          const std::vector<std::string>& arguments, int fd);

/// "ended with code 78", "was ended by signal 9".
[[nodiscard]] std::string ending_text(int wait_status);

class Successor {
public:
    /// Starts `PROGRAM --config FILE --take-over`. Ends it when the object ends, unless it
    /// confirmed the hand-over.
    [[nodiscard]] static Result<std::unique_ptr<Successor>> start(const TrustedProgram& program,
                                                                  const std::string& config_file);
    Successor(const Successor&) = delete;
    Successor& operator=(const Successor&) = delete;
    ~Successor();

    [[nodiscard]] int fd() const { return link_.fd(); }
    [[nodiscard]] pid_t pid() const { return pid_; }
    [[nodiscard]] const std::string& binary() const { return binary_; }

    /// Its identity, once it has sent it; nullopt: not yet. Never waits.
    [[nodiscard]] Result<std::optional<Hello>> hello();

    /// Hands everything over, and waits at most this long for the confirmation. An error: the
    /// successor has ended and touched nothing, so the caller continues. internal: it may have
    /// touched something, and can't be asked any more; then only a start as after a crash is right.
    [[nodiscard]] Result<> hand_over(const HandOver& hand_over, std::chrono::seconds limit);

private:
    Successor(std::string binary, HandOverLink link, pid_t pid);
    [[nodiscard]] Result<> until_ready(const HandOver& hand_over, SteadyTime deadline);
    [[nodiscard]] Error with_ending(Error error);
    /// Whatever it was doing; gives its wait status.
    int end();

    const std::string binary_;
    HandOverLink link_;
    pid_t pid_;
    bool over_ = false;  // it confirmed the hand-over, or has ended
};

}  // namespace smsrack::host
