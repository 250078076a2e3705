/// The commands that are with the engine now, sent as one message, and what each of them may conclude.
///
/// Each is a transaction of its own, and the engine stops at the first error: so they are carried out in order, and those behind
/// a failed one certainly were not. The message as a whole has arrived before the engine begins, so no transaction is open while
/// the engine waits for the box.
/// Threads: the engine's.
#pragma once

#include "db/postgres/engine_job.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <string>

namespace smsrack::postgres {

using Jobs = std::deque<std::unique_ptr<EngineJob>>;

/// Of commands in one message: enough for all that a box asks for in one trip of a slow link.
inline constexpr std::size_t window_jobs_max = 8;
/// Octets of one message, unless its only command is longer: 8 s of a link of 64 kbit/s.
inline constexpr std::size_t window_octets_max = 65'536;

class JobWindow {
public:
    /// Takes the first of `queue`. Only where the window is empty. Answers the message.
    [[nodiscard]] std::string begin(Jobs& queue, bool rolls_back);
    /// Of the only command, which has a value to be sent separately; empty: none has.
    [[nodiscard]] const std::string& secret() const { return secret_; }

    /// One result, in order. A command that was in another's way is put back to `queue` a few times.
    void on_result(const Rows& rows, Jobs& queue);
    /// The engine sent a WARNING: what is committed may be on one disk only, and be lost.
    void on_warning() { is_warned_ = true; }
    /// All results are there. What the engine did not reach is put back to `queue`.
    void on_end(Jobs& queue);
    /// The connection is lost. Answers whether the engine may have done something that is not known.
    [[nodiscard]] bool on_loss();

    [[nodiscard]] bool empty() const { return jobs_.empty(); }
    /// True once a command that gives the seat was answered well; then false until the next one.
    [[nodiscard]] bool has_entered() { return std::exchange(has_entered_, false); }

private:
    enum class Awaits : std::uint8_t { rollback, begin, rows, commit, disks };

    void advance(const Rows& rows);
    void refuse(const Rows& rows, Jobs& queue);
    void finish_first();
    void fail_first(Error error);
    void put_back(Jobs& queue);

    Jobs jobs_;
    Awaits awaits_ = Awaits::begin;
    std::string secret_;
    bool is_warned_ = false;  // since the begin of the first
    bool has_entered_ = false;
};

}  // namespace smsrack::postgres
