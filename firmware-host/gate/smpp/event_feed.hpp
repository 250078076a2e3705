/// The events of one account, as the service keeps them for it: read one after the other, and acknowledged.
///
/// When the service has gone it asks again, and passes over what its reader has got before.
/// Bound:   event_max octets of an event that has not come as a whole; the reader pauses it.
/// Threads: loop thread.
#pragma once

#include "firmware-host/gate/service_call.hpp"
#include "firmware-host/gate/service_link.hpp"
#include "src/wire/json.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::gate {

class EventFeed : public std::enable_shared_from_this<EventFeed> {
public:
    static constexpr std::size_t event_max = 256UL * 1024;

    /// Given instead of an id: what follows is of another database, with ids of its own.
    static constexpr std::int64_t other_database = 0;
    /// `id` rises from event to event.
    using Event = std::function<void(std::int64_t id, const wire::Json& event)>;

    /// `inbox`: "none", "replies", "all". `link` outlives the object.
    EventFeed(const ServiceLink& link, std::string client, std::string token,
              std::string_view inbox, Event event);

    void start() { ask(); }
    /// From now on with another share of the inbox.
    void listen(std::string token, std::string_view inbox);
    /// While paused nothing is read.
    void pause(bool paused);
    /// All up to this one need not come again, ever.
    void acknowledge(std::int64_t id);
    /// What acknowledge() said is with the service.
    [[nodiscard]] bool is_acknowledged() const { return acknowledged_ == wanted_; }

    // -- of its call
    void take_head(const wire::ReplyHead& head);
    void take_body(std::string_view piece);
    void take_end() { lost(); }
    void lost();

private:
    void ask();
    void take_event(std::string_view event);
    void send_acknowledgement();

    const ServiceLink& link_;
    const std::string client_;
    std::string token_;
    std::string target_;
    const Event event_;
    std::unique_ptr<Upstream::Call> call_;  // null: it waits to ask again
    net::LoopWatchPtr again_;
    std::string begun_event_;  // <= event_max
    bool streams_ = false;
    std::chrono::milliseconds pause_ = try_again;  // until it asks again
    SteadyTime asked_at_ = {};
    bool paused_ = false;
    std::int64_t last_ = 0;                       // that the reader has got
    std::int64_t wanted_ = 0;                     // to be acknowledged
    std::int64_t acknowledged_ = 0;               // by the service's word
    std::shared_ptr<ServiceCall> acknowledging_;  // null: none is under way
};

}  // namespace smsrack::gate
