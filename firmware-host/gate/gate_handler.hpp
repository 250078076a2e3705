/// Takes the requests of clients, and hands those of callers that may call on to the service.
///
/// Bound:   calls_bounds and streams_bounds; wrong tokens: WrongTokens.
/// Threads: loop thread.
#pragma once

#include "firmware-host/gate/admission.hpp"
#include "firmware-host/gate/answer.hpp"
#include "firmware-host/gate/client_addresses.hpp"
#include "firmware-host/gate/places.hpp"
#include "firmware-host/gate/service_link.hpp"
#include "firmware-host/gate/service_request.hpp"
#include "firmware-host/gate/session/logins.hpp"
#include "firmware-host/gate/wrong_callers.hpp"
#include "src/access/token_book.hpp"
#include "src/base/random.hpp"
#include "src/wire/http_message.hpp"
#include "src/wire/remote_streams.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::gate {

/// As many as the service has connections for: one token leaves half to the others, and a network has
/// a call for each connection that it may have. A stream that is not read holds some 128 KiB of what
/// all callers over the network share in the service, so one token's streams hold a quarter of it.
/// A trusted proxy that does not say for whom it calls leaves half to the others.
inline constexpr PlaceBounds calls_bounds{
    .all = 1'024, .of_token = 512, .of_network = 64, .of_proxy = 512};
inline constexpr PlaceBounds streams_bounds{
    .all = 256, .of_token = 16, .of_network = 64, .of_proxy = 128};

struct GateHandlerParts {
    const ServiceLink& link;
    const AnswerParts& answers;
    const access::TokenBook& tokens;
    const ClientAddresses& addresses;
    WrongCallers& wrong;
    Logins& logins;
    Random& random;                             ///< for refs
    std::function<std::size_t()> connections;   ///< of clients, now
    std::function<std::string()> more_metrics;  ///< of other servers of the gate
    bool is_own = false;  ///< the gate runs as the caller: only a login may call, none without
};

class GateHandler final : public wire::HttpHandler {
public:
    /// What `parts` refers to outlives the handler.
    explicit GateHandler(GateHandlerParts parts);

    [[nodiscard]] bool wants_stream(const wire::HttpRequest& head) const override;
    [[nodiscard]] std::size_t answer_bytes(const wire::HttpRequest& request) const override;
    void handle(wire::HttpRequest request, wire::ResponderPtr responder) override;
    [[nodiscard]] std::unique_ptr<wire::BodyReader> stream(wire::HttpRequest head,
                                                           wire::ResponderPtr responder) override;
    /// No connection of the gate is handed to another process.
    [[nodiscard]] std::unique_ptr<wire::BodyReader> resume(std::string mark, const wire::Peer& peer,
                                                           wire::ResponderPtr responder) override;
    [[nodiscard]] wire::HttpResponse refusal(int status, std::string_view reason) const override;

    /// Ends the streams and uploads of tokens and logins that count no more: the service sees to its own side of
    /// them, but not while their client is slow, or while it is away itself.
    void end_streams();

private:
    [[nodiscard]] std::unique_ptr<Answer> answer_of(const wire::HttpRequest& request,
                                                    wire::ResponderPtr responder) const;
    [[nodiscard]] static ServiceRequest order_of(const wire::HttpRequest& request,
                                                 const Caller& caller, const Answer& answer);
    /// False, and answered: there is no place for it now.
    [[nodiscard]] static bool take_place(Places& places, Answer& answer);
    void log_in(const wire::HttpRequest& request, std::unique_ptr<Answer> answer);
    void log_out(const Caller& caller, Answer& answer);
    void hand_on(const wire::HttpRequest& request, const Caller& caller,
                 std::unique_ptr<Answer> answer);
    void relay_events(const wire::HttpRequest& request, const Caller& caller,
                      const wire::ResponderPtr& responder, std::unique_ptr<Answer> answer);
    [[nodiscard]] std::string fresh_ref();

    const GateHandlerParts parts_;
    Admission admission_;
    Places calls_{calls_bounds};
    Places streams_{streams_bounds};
    wire::RemoteStreams open_;
};

}  // namespace smsrack::gate
