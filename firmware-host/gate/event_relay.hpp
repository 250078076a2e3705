/// An event stream of a client, which continues when the service is upgraded, restarted or killed.
///
/// It hands on whole events and remembers the id of the last one. When the service has gone, it asks
/// again from there, so no event is missing and none comes twice. It acknowledges nothing on behalf
/// of a client with a name: such a client gets what it has not acknowledged again when it comes again.
/// Bound:   event_max octets of an event that has not come as a whole; held_max that the client has not taken; stream_wait.
/// Threads: loop thread; lasts as long as the client listens.
#pragma once

#include "firmware-host/gate/answer.hpp"
#include "firmware-host/gate/service_link.hpp"
#include "firmware-host/gate/service_request.hpp"
#include "src/base/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::gate {

class EventRelay : public std::enable_shared_from_this<EventRelay> {
public:
    static constexpr std::size_t event_max = 256UL * 1024;  ///< a received text is far smaller

    /// `is_named`: of a client with a name, which the service gives events again that it has not
    /// acknowledged.
    static void start(const ServiceLink& link, ServiceRequest request, bool is_named,
                      std::unique_ptr<Answer> answer);

    EventRelay(const ServiceLink& link, ServiceRequest request, bool is_named,
               std::unique_ptr<Answer> answer);

    // -- of its call
    void take_head(const wire::ReplyHead& head);
    void take_body(std::string_view piece);
    void take_end() { ended(); }
    void lost() { ended(); }

private:
    void ask();
    void take_event(std::string_view event);
    void ended();

    const ServiceLink& link_;
    ServiceRequest request_;
    const bool is_named_;
    const std::unique_ptr<Answer> answer_;
    std::unique_ptr<Upstream::Call> call_;  // null: it waits to ask again
    net::LoopWatchPtr again_;
    SteadyTime gone_since_;             // the service
    std::optional<std::int64_t> last_;  // event that the client has, or behind which it began
    std::string begun_event_;           // <= event_max
    wire::HttpResponse refusal_;        // while it comes
    bool streams_ = false;              // the service has begun to answer
    bool begun_ = false;                // the client has got the head
    bool over_ = false;                 // by the service's own word
};

}  // namespace smsrack::gate
