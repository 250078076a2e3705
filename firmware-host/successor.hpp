/// The program that is to take over, as the old one sees it: started, asked who it is, given everything, let go.
///
/// There is never a second writer: until the successor has said that it took over it touches nothing but the
/// store, which is closed here; and where it does not, it is ended before anything is opened again.
/// Threads: the main thread.
/// Errors:  as HandOverLink, in words for the administrator who asked; not_allowed: it can't be started.
/// Source:  docs/decisions/0018-hand-over.md.
#pragma once

#include "drivers/serial/owned_fd.hpp"
#include "firmware-host/hand_over_link.hpp"
#include "firmware-host/trusted_program.hpp"
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
    /// Starts `PROGRAM --config FILE --take-over`. Ends it when the object ends, unless it took over.
    [[nodiscard]] static Result<std::unique_ptr<Successor>> start(const TrustedProgram& program,
                                                                  const std::string& config_file);
    Successor(const Successor&) = delete;
    Successor& operator=(const Successor&) = delete;
    ~Successor();

    [[nodiscard]] int fd() const { return link_.fd(); }
    [[nodiscard]] pid_t pid() const { return pid_; }
    [[nodiscard]] const std::string& binary() const { return binary_; }

    /// Who it is, once it has said so; nothing: not yet. Never waits.
    [[nodiscard]] Result<std::optional<Hello>> hello();

    /// Gives it everything, and waits at most so long until it took over. An error: it has ended and touched nothing,
    /// so that its giver goes on. internal: it may have, and can't be asked any more; only a start as after a crash
    /// is right then.
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
    bool over_ = false;  // it took over, or has ended
};

}  // namespace smsrack::host
