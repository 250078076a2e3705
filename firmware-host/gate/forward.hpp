/// One call of a client, answered as a whole: asks the service, and again if the service goes away before it has answered.
///
/// A call that must not be made twice is never repeated once the service may have read it:
/// outcome_unknown.
/// Bound:   answer_max octets of an answer; service_wait.
/// Threads: loop thread; lasts as long as the client waits.
#pragma once

#include "firmware-host/gate/answer.hpp"
#include "firmware-host/gate/service_link.hpp"
#include "src/base/clock.hpp"
#include "src/wire/http_message.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::gate {

class Forward : public std::enable_shared_from_this<Forward> {
public:
    /// A page of the service has 1 MiB at most, its metrics less.
    static constexpr std::size_t answer_max = 8UL * 1024 * 1024;

    struct Order {
        std::string request;
        bool may_repeat = false;
        /// Its client can repeat it safely too: it reads, or has a ref that the client knows.
        bool is_safe = false;
        /// What the gate has to add to an answer of 200; empty: nothing.
        std::function<void(wire::HttpResponse&)> complete = {};
    };

    static void start(const ServiceLink& link, Order order, std::unique_ptr<Answer> answer);

    Forward(const ServiceLink& link, Order order, std::unique_ptr<Answer> answer);

    // -- of its call
    void take_head(const wire::ReplyHead& head);
    void take_body(std::string_view piece);
    void take_end();
    void lost();

private:
    void ask();
    [[nodiscard]] bool take_room_for(const wire::ReplyHead& head);

    const ServiceLink& link_;
    const Order order_;
    const std::unique_ptr<Answer> answer_;
    std::optional<SteadyTime> give_up_;     // once the service was lost
    std::unique_ptr<Upstream::Call> call_;  // null: it waits to ask again
    net::LoopWatchPtr again_;
    SteadyTime asked_ = {};
    std::size_t held_ = 0;     // octets of the answer, come or announced
    bool maybe_done_ = false;  // by a service that went away before it answered
    wire::HttpResponse response_;
};

}  // namespace smsrack::gate
