/// A process smsrack-gate of the caller's own, which serves the dashboard while this object is there.
///
/// Threads: one.
/// Errors:  not_found: smsrack-gate is not installed; not_allowed: it can't be started.
#pragma once

#include "src/base/result.hpp"
#include "tools/client/unique_fd.hpp"

#include <optional>
#include <string>
#include <sys/types.h>

namespace smsrack::cli {

class OwnGate {
public:
    /// `socket`: of the service.
    [[nodiscard]] static Result<OwnGate> start(const std::string& socket);

    OwnGate(OwnGate&& other) noexcept;
    OwnGate& operator=(OwnGate&&) = delete;
    OwnGate(const OwnGate&) = delete;
    OwnGate& operator=(const OwnGate&) = delete;
    ~OwnGate();

    /// Readable when there is an address, or when the gate has ended.
    [[nodiscard]] int fd() const { return output_.get(); }
    /// Waits for the next address, which logs a browser in. nullopt: the gate has ended, and has said why on standard error.
    [[nodiscard]] std::optional<std::string> next_address();
    void ask_for_another();

private:
    OwnGate(pid_t pid, client::UniqueFd input, client::UniqueFd output);

    pid_t pid_;
    client::UniqueFd input_;  // its end ends the gate
    client::UniqueFd output_;
};

}  // namespace smsrack::cli
