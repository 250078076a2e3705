/// Many messages in one request, line by line. If the service goes away meanwhile, the lines that it
/// has not answered are sent again, with their refs; its client notices nothing.
///
/// When the service stays away for service_wait: 503, or once answers have left, a refusal of each
/// line that was not answered. It is outcome_unknown where the service may have read such lines.
/// Bound:   held_max of lines that are not answered, and as much of answers that are not taken.
/// Threads: loop thread; lasts as long as the body comes or the client waits.
#pragma once

#include "firmware-host/gate/answer.hpp"
#include "firmware-host/gate/message_lines.hpp"
#include "firmware-host/gate/service_link.hpp"
#include "firmware-host/gate/service_request.hpp"
#include "src/base/clock.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace smsrack::gate {

class LineUpload : public std::enable_shared_from_this<LineUpload> {
public:
    /// Takes the body. `fresh_ref` outlives it.
    [[nodiscard]] static std::unique_ptr<wire::BodyReader> start(
        const ServiceLink& link, const ServiceRequest& request,
        std::function<std::string()> fresh_ref, std::unique_ptr<Answer> answer);

    LineUpload(const ServiceLink& link, const ServiceRequest& request,
               std::function<std::string()> fresh_ref, std::unique_ptr<Answer> answer);

    // -- of the body
    void data(std::string_view piece);
    void end();
    void stopped();
    void aborted();

    // -- of its call
    void take_head(const wire::ReplyHead& head);
    void take_body(std::string_view piece);
    void take_end();
    void lost();

private:
    void ask();
    void send(std::string_view lines);
    void hold();
    void again();
    void give_up();
    void refuse_unanswered(const Error& why);
    void end_answer();

    const ServiceLink& link_;
    const std::string head_;
    const std::unique_ptr<Answer> answer_;
    MessageLines lines_;
    std::unique_ptr<Upstream::Call> call_;  // null: it waits to ask again, or it is over
    net::LoopWatchPtr again_;
    std::optional<SteadyTime> gone_since_;  // the first loss since the last answer
    std::string begun_answer_;              // of a line
    wire::HttpResponse refusal_;
    bool accepts_ = false;  // the service has begun to answer lines
    bool begun_ = false;    // the client has got the head
    bool body_ended_ = false;
    bool over_ = false;        // the answer is whole
    bool given_up_ = false;    // the service stays away: lines are refused
    bool maybe_read_ = false;  // by a service that went away before it answered
};

}  // namespace smsrack::gate
