/// The answer to one request on its way out. It waits for the answers to earlier requests.
///
/// HttpSession alone uses it; all others know it as Responder.
/// Threads: loop thread; may be dropped by any.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/interface.hpp"
#include "src/base/members.hpp"
#include "src/wire/http_message.hpp"
#include "src/wire/session_budget.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace smsrack::wire {

/// What an answer does to its connection.
class ExchangeOwner : public Interface {
public:
    virtual void answer_grew() = 0;
    virtual void answer_cut() = 0;
    virtual void body_pause_changed() = 0;
    [[nodiscard]] virtual std::size_t unsent() const = 0;
    virtual void holding_changed() = 0;
    [[nodiscard]] virtual std::size_t room() const = 0;
    /// What is held for an answer whose client is gone, until its author lets it go.
    [[nodiscard]] virtual std::unique_ptr<SessionBudget::Share> leave_behind(std::size_t bytes) = 0;
};

/// An answer that another process resumes.
struct AnswerCarried {
    std::string mark = {};  ///< for HttpHandler::resume()
    bool keep_alive = true;
    bool head_only = false;
    bool is_1_1 = true;
    bool begun = false;  ///< its head has left
    std::chrono::seconds filler_every{0};
    std::string filler = {};
    SMSRACK_MEMBERS(mark, keep_alive, head_only, is_1_1, begun, filler_every, filler);
};

class HttpExchange final : public Responder {
public:
    struct Form {
        bool keep_alive = true;
        bool head_only = false;  ///< HEAD: no body is sent
        bool is_1_1 = true;
    };

    HttpExchange(ExchangeOwner& owner, Form form) : owner_(&owner), form_(form) {}

    void send(HttpResponse response) override;
    void begin(HttpResponse response, std::chrono::seconds filler_every,
               std::string filler) override;
    void write(std::string_view piece) override;
    void end() override;
    void cut() override;
    void revoke() override;
    [[nodiscard]] std::size_t backlog() const override;
    void on_drained(Job then) override { on_drained_ = std::move(then); }
    [[nodiscard]] bool closed() const override { return lost_; }
    void on_closed(Job then) override { on_closed_ = std::move(then); }
    void resumable(std::move_only_function<std::string()> mark) override {
        mark_ = std::move(mark);
    }
    void mark_front(std::string front) override { mark_front_ = std::move(front); }
    void pause_body(bool paused) override;
    void holds(std::size_t bytes) override;
    [[nodiscard]] std::size_t room() const override;

    // -- for the session
    [[nodiscard]] bool can_be_carried() const { return mark_ != nullptr && state_ != State::done; }
    /// Its author gets no more calls, and can write nothing more.
    [[nodiscard]] AnswerCarried carried();
    void adopt(const AnswerCarried& carried);
    /// The client is gone.
    void lose();
    /// What there is to send by now.
    [[nodiscard]] std::string& pending() { return pending_; }
    [[nodiscard]] bool done() const { return state_ == State::done; }
    [[nodiscard]] bool keep_alive() const { return form_.keep_alive; }
    void close_after() { form_.keep_alive = false; }
    /// Its request's body is not read yet: an answer that is whole now ends the connection, and says so.
    void body_unread(bool unread) { body_unread_ = unread; }
    [[nodiscard]] bool body_paused() const { return body_paused_; }
    /// A streamed answer without end: zero where it is none.
    [[nodiscard]] std::chrono::seconds filler_every() const;
    /// Ends a streamed answer from this side: its author is notified as if the client had gone.
    void end_endless();
    /// Everything written has left, and there is room for more.
    void drained();
    [[nodiscard]] bool waits_for_drain() const { return on_drained_ != nullptr; }
    /// Octets that are held for it: what is written, and what is expected.
    [[nodiscard]] std::size_t held() const { return std::max(pending_.size(), held_); }
    void write_filler() { write(filler_); }

private:
    enum class State : std::uint8_t { waiting, streaming, done };

    void finish();

    ExchangeOwner* owner_;            // null once the client is gone
    std::atomic<bool> lost_ = false;  // likewise, for other threads
    Form form_;
    State state_ = State::waiting;
    bool chunked_ = false;
    bool body_paused_ = false;
    bool body_unread_ = false;
    std::string pending_;
    std::size_t held_ = 0;  // by its author
    std::unique_ptr<SessionBudget::Share> left_behind_;
    std::chrono::seconds filler_every_{0};
    std::string filler_;
    Job on_closed_;
    Job on_drained_;
    std::move_only_function<std::string()> mark_;
    std::string mark_front_;
};

}  // namespace smsrack::wire
