/// The answer to one request of a client: gets the headers that all answers have, is packed where it
/// may be, and leaves one line in the log when it ends. Lines of refused requests that showed no token that counts are
/// limited by network, as LimitedLog does it.
///
/// Threads: loop thread.
#pragma once

#include "firmware-host/gate/client_addresses.hpp"
#include "firmware-host/gate/gate_metrics.hpp"
#include "firmware-host/gate/places.hpp"
#include "src/base/clock.hpp"
#include "src/base/log.hpp"
#include "src/base/result.hpp"
#include "src/wire/http_message.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::gate {

struct AnswerParts {
    Log& log;
    const Clock& clock;
    GateMetrics& metrics;
    bool tls = false;                       ///< the gate ends TLS
    bool log_addresses = false;             ///< in the log of requests
    std::vector<std::string> origins = {};  ///< other web sites whose pages may call
};

class Answer {
public:
    /// `parts` outlives the object.
    Answer(const AnswerParts& parts, const wire::HttpRequest& request, ClientPlace client,
           wire::ResponderPtr responder);
    ~Answer();
    Answer(const Answer&) = delete;
    Answer& operator=(const Answer&) = delete;

    /// The name of the token, for the log.
    void of(std::string_view token_name) { token_name_ = token_name; }
    /// How the log and the metrics call it, in the place of its path.
    void count_as(std::string_view route) { route_ = route; }
    /// Until the answer ends.
    void keep(Places::Place place) { place_ = std::move(place); }
    [[nodiscard]] const ClientPlace& client() const { return client_; }
    [[nodiscard]] const std::string& token_name() const { return token_name_; }

    void send(wire::HttpResponse response);
    void fail(const Error& error);
    void begin(wire::HttpResponse response, std::chrono::seconds filler_every, std::string filler);
    void write(std::string_view piece);
    void end();
    void cut();

    [[nodiscard]] wire::Responder& responder() { return *responder_; }

private:
    void say(int status);

    const AnswerParts& parts_;
    const wire::ResponderPtr responder_;
    const std::string method_;
    std::string route_;
    const std::string origin_;  // of a web site that may read the answer
    const ClientPlace client_;
    const SteadyTime since_;
    const bool may_pack_;
    const bool takes_gzip_;
    std::string token_name_;
    Places::Place place_;
    int status_ = 0;  // of a streamed answer that has begun
    std::size_t bytes_ = 0;
    bool said_ = false;
};

/// The headers that all answers have.
void add_common_headers(wire::HttpResponse& response, bool tls);

}  // namespace smsrack::gate
