/// A socket in front of a server that breaks connections at a chosen moment.
///
/// Threads: one of its own; the functions by the test's.
#pragma once

#include "tests/support/temp_dir.hpp"

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

namespace smsrack::test {

enum class Break : std::uint8_t {
    never,
    before_request,  ///< the next request of the box does not arrive
    before_answer,   ///< it arrives, and its answer does not
};

class CutProxy {
public:
    /// `server`: the file of its socket.
    explicit CutProxy(std::filesystem::path server);
    CutProxy(const CutProxy&) = delete;
    CutProxy& operator=(const CutProxy&) = delete;
    ~CutProxy() = default;

    /// For "host=".
    [[nodiscard]] std::string folder() const { return folder_.path().string(); }
    /// Once, then connections hold again.
    void break_next(Break how) { break_ = how; }

private:
    void run(const std::stop_token& stop);
    void carry(int client, const std::stop_token& stop);

    const std::filesystem::path server_;
    TempDir folder_;
    const int listener_;
    std::atomic<Break> break_ = Break::never;
    std::jthread thread_;
};

}  // namespace smsrack::test
