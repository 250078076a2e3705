/// Takes the requests of clients: finds their token, and hands them on to the service.
///
/// The gate looks a token up to refuse wrong ones early, for its limits and for its log; what a caller
/// may do the service decides.
/// Bound:   calls_bounds and streams_bounds; wrong tokens: WrongTokens.
/// Threads: loop thread.
#pragma once

#include "firmware-host/gate/answer.hpp"
#include "firmware-host/gate/client_addresses.hpp"
#include "firmware-host/gate/places.hpp"
#include "firmware-host/gate/service_link.hpp"
#include "firmware-host/gate/service_request.hpp"
#include "firmware-host/gate/wrong_tokens.hpp"
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
inline constexpr PlaceBounds calls_bounds{.all = 1'024, .of_token = 512, .of_network = 64};
inline constexpr PlaceBounds streams_bounds{.all = 256, .of_token = 16, .of_network = 64};

struct GateHandlerParts {
    const ServiceLink& link;
    const AnswerParts& answers;
    const access::TokenBook& tokens;
    const ClientAddresses& addresses;
    Random& random;                            ///< for refs
    std::function<std::size_t()> connections;  ///< of clients, now
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

    /// Ends the streams and uploads of tokens that count no more: the service sees to its own side of
    /// them, but not while their client is slow, or while it is away itself.
    void tokens_changed();

private:
    [[nodiscard]] std::unique_ptr<Answer> answer_of(const wire::HttpRequest& request,
                                                    wire::ResponderPtr responder) const;
    [[nodiscard]] bool has_token_in_query(const wire::HttpRequest& request, Answer& answer) const;
    /// What goes to the service, with one of `places`; nullopt, and answered: nothing.
    [[nodiscard]] std::optional<ServiceRequest> admit(const wire::HttpRequest& request,
                                                      Places& places, Answer& answer);
    [[nodiscard]] std::optional<std::string> token_of(const wire::HttpRequest& request,
                                                      Answer& answer);
    [[nodiscard]] std::string fresh_ref();

    const GateHandlerParts parts_;
    WrongTokens wrong_;
    Places calls_{calls_bounds};
    Places streams_{streams_bounds};
    wire::RemoteStreams open_;
};

}  // namespace smsrack::gate
