/// Attacks the socket as an ordinary account could with a program of a hundred lines: every attack
/// at once, until the time is over.
///
/// pipelined readers that never read, event streams that never read, lines whose answers are never
/// read, idle connections, slow
///     bodies, lists that are asked for and left, locks on whatever file can be opened
///
/// Runs as a program of its own (`smsrack-bench attack-clients`), since it must be another user.
/// Threads: one poll loop.
#pragma once

#include <chrono>
#include <filesystem>

namespace smsrack::bench {

struct AttackPlan {
    std::filesystem::path socket = {};
    std::filesystem::path state_dir = {};  ///< whose files are locked where that is possible
    std::chrono::seconds lasting{60};
};

/// Says on standard output what it did.
void run_attackers(const AttackPlan& plan);

/// Another account that submits a message each 50 ms, each on a connection of its own: what it is answered, and after how
/// long, is a line each on standard output: "202 ID +33600000042 1.25", or a status (0: none) "- TO MS".
void run_victim(const std::filesystem::path& socket, std::chrono::seconds lasting);

}  // namespace smsrack::bench
