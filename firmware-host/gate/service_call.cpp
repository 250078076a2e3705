#include "firmware-host/gate/service_call.hpp"

#include <fmt/format.h>
#include <utility>

namespace smsrack::gate {

std::shared_ptr<ServiceCall> ServiceCall::begin(Upstream& upstream, std::string request,
                                                Done done) {
    const auto self = std::make_shared<ServiceCall>(std::move(done));
    self->call_ =
        upstream.begin(std::move(request), Upstream::Over::any, events_to(std::weak_ptr(self)));
    return self;
}

std::shared_ptr<ServiceCall> ServiceCall::post(Upstream& upstream, std::string_view target,
                                               std::string_view json, Done done) {
    return begin(upstream,
                 fmt::format("POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                             "application/json\r\nContent-Length: {}\r\n\r\n{}",
                             target, json.size(), json),
                 std::move(done));
}

void ServiceCall::take_body(std::string_view piece) {
    if (reply_.body.size() + piece.size() > answer_max) {
        return tell({});
    }
    reply_.body += piece;
}

void ServiceCall::tell(Reply reply) {
    call_.reset();
    const Done done = std::exchange(done_, nullptr);
    if (done) {
        done(std::move(reply));
    }
}

}  // namespace smsrack::gate
