/// The messages of one account on their way into the service: one request whose lines are messages, and whose answer has a
/// line for each.
///
/// Each line has a `ref`. When the service goes away, upgraded, restarted or killed, the lines without an answer are sent
/// again: what was accepted is not accepted twice.
/// Bound:   has_room(): of what waits for an answer, an account has at most bytes_max, and as much as is free of bytes_of_all.
/// Threads: loop thread.
#pragma once

#include "firmware-host/gate/service_link.hpp"
#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::gate {

class SubmitLink : public std::enable_shared_from_this<SubmitLink> {
public:
    /// Shorter than the pause in a body after which the service ends it.
    static constexpr std::chrono::seconds idle_max{15};
    static constexpr std::chrono::milliseconds pause_max{2'000};
    static constexpr std::size_t answer_line_max = 64UL * 1024;
    static constexpr std::size_t bytes_max = 4UL << 20U;
    static constexpr std::size_t bytes_of_all = 32UL << 20U;

    /// Octets of lines without an answer, of all accounts together.
    using Held = std::shared_ptr<std::size_t>;

    /// The message's id, or why it was refused.
    using Done = std::function<void(Result<std::string>)>;

    /// `token`: of the account, for the service. `link` outlives the object.
    SubmitLink(const ServiceLink& link, std::string client, std::string token, Held held);
    ~SubmitLink() { *held_ -= bytes_; }
    SubmitLink(const SubmitLink&) = delete;
    SubmitLink& operator=(const SubmitLink&) = delete;

    /// Keeps the line until it is answered; it leaves with flush(). `line` has a `ref`, and no end.
    void send(std::string line, Done done);
    /// Writes what was sent since the last call.
    void flush();
    /// Forgets what waits; no callback comes.
    void give_up();
    /// Ends the request if it was unused for idle_max.
    void rest(SteadyTime now);

    [[nodiscard]] bool has_room() const { return bytes_ < bytes_max && *held_ < bytes_of_all; }
    [[nodiscard]] std::size_t waiting() const { return lines_.size(); }
    /// Lines that were sent, and those of them that were answered, since the begin.
    [[nodiscard]] std::uint64_t sent() const { return answered_ + lines_.size(); }
    [[nodiscard]] std::uint64_t answered() const { return answered_; }

    // -- of its call
    void take_head(const wire::ReplyHead& head);
    void take_body(std::string_view piece);
    void take_end() { lost(); }
    void lost();

private:
    struct Line {
        std::string text;  // with its end
        Done done;
    };

    void ask();
    void write(std::string_view lines);
    void hold(const Line& line);
    void release(const Line& line);
    void take_answer(std::string_view answer);
    void refuse_all(const Error& why);

    const ServiceLink& link_;
    const std::string head_;
    std::unique_ptr<Upstream::Call> call_;  // null: there is none, or it waits to ask again
    net::LoopWatchPtr again_;
    std::deque<Line> lines_;  // without an answer, oldest first
    std::string unsent_;      // of lines_, the end
    const Held held_;
    std::size_t bytes_ = 0;  // of lines_, as they count in held_
    std::uint64_t answered_ = 0;
    std::string begun_answer_;
    int status_ = 0;                               // of the answer; 0: it has not begun
    std::chrono::milliseconds pause_ = try_again;  // until it asks again
    SteadyTime used_at_;
};

}  // namespace smsrack::gate
