#include "firmware-host/gate/answer.hpp"

#include "firmware-host/gate/cors.hpp"
#include "firmware-host/gate/gzip.hpp"
#include "src/wire/problem.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::gate {

void add_common_headers(wire::HttpResponse& response, bool tls) {
    const bool cached = std::ranges::any_of(
        response.headers, [](const auto& field) { return field.name == "Cache-Control"; });
    if (!cached) {
        response.headers.push_back({"Cache-Control", "no-store"});
    }
    response.headers.push_back({"X-Content-Type-Options", "nosniff"});
    response.headers.push_back({"Referrer-Policy", "no-referrer"});
    if (tls) {
        response.headers.push_back({"Strict-Transport-Security", "max-age=31536000"});
    }
}

Answer::Answer(const AnswerParts& parts, const wire::HttpRequest& request, ClientPlace client,
               wire::ResponderPtr responder)
    : parts_(parts),
      responder_(std::move(responder)),
      method_(request.method),
      route_(route_of(request.path)),
      origin_(allowed_origin(request, parts.origins)),
      client_(std::move(client)),
      since_(parts.clock.steady()),
      may_pack_(may_pack(request)),
      takes_gzip_(takes_gzip(request)) {}

/// One that was given up: its client has gone.
Answer::~Answer() {
    say(status_);
}

void Answer::send(wire::HttpResponse response) {
    add_common_headers(response, parts_.tls);
    add_cors_headers(response, origin_);
    if (may_pack_) {
        response.headers.push_back({"Vary", "Accept-Encoding"});
    }
    if (may_pack_ && takes_gzip_) {
        pack(response);
    }
    bytes_ = response.body.size();
    const int status = response.status;
    responder_->send(std::move(response));
    say(status);
}

void Answer::fail(const Error& error) {
    wire::HttpResponse response = wire::problem(error);
    if (error.code == Errc::unauthorized) {
        response.headers.push_back({"WWW-Authenticate", "Bearer"});
    }
    send(std::move(response));
}

void Answer::begin(wire::HttpResponse response, std::chrono::seconds filler_every,
                   std::string filler) {
    add_common_headers(response, parts_.tls);
    add_cors_headers(response, origin_);
    status_ = response.status;
    bytes_ = response.body.size();
    responder_->begin(std::move(response), filler_every, std::move(filler));
}

void Answer::write(std::string_view piece) {
    bytes_ += piece.size();
    responder_->write(piece);
}

void Answer::end() {
    responder_->end();
    say(status_);
}

void Answer::cut() {
    responder_->cut();
    say(status_);
}

void Answer::say(int status) {
    if (std::exchange(said_, true)) {
        return;
    }
    place_.reset();
    const bool is_anonymous = token_name_.empty();
    constexpr int refused = 400;
    constexpr int unknown_path = 404;
    // Paths that a client makes up must not fill the table.
    const bool is_made_up = status == unknown_path || (is_anonymous && status >= refused);
    parts_.metrics.request(is_made_up ? "refused" : route_, status);
    const auto took =
        std::chrono::duration_cast<std::chrono::milliseconds>(parts_.clock.steady() - since_);
    const auto line = [&](std::string_view event, auto... source) {
        parts_.log.info(event, {{"method", method_},
                                {"route", route_},
                                {"status", status},
                                {"ms", took.count()},
                                {"bytes", bytes_},
                                {"token", is_anonymous ? "-" : token_name_},
                                {"address", parts_.log_addresses ? client_.address : "-"},
                                std::move(source)...});
    };
    if (is_anonymous) {  // anybody can make many of these
        line(status >= refused ? "request_refused" : "request",
             LogField("account", client_.network));
    } else {
        line("request");
    }
}

}  // namespace smsrack::gate
