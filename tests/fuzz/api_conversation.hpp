/// Fuzz target: a conversation with the local API over one connection. Store and rack are those of
/// the tests of src/api.
#pragma once

#include "src/base/check.hpp"
#include "src/wire/http_session.hpp"
#include "tests/src/api/api_rig.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::fuzz {

/// The Api, with everything that follows a call done before the next one: so what comes of it does not depend on what came with it.
class PromptApi final : public wire::HttpHandler {
public:
    explicit PromptApi(test::ApiRig& rig) : rig_(rig) {}

    [[nodiscard]] bool wants_stream(const wire::HttpRequest& head) const override {
        return rig_.api.wants_stream(head);
    }
    [[nodiscard]] std::size_t answer_bytes(const wire::HttpRequest& request) const override {
        return rig_.api.answer_bytes(request);
    }
    void handle(wire::HttpRequest request, wire::ResponderPtr responder) override {
        methods.push_back(request.method);
        rig_.api.handle(std::move(request), std::move(responder));
        rig_.settle();
    }
    [[nodiscard]] std::unique_ptr<wire::BodyReader> stream(wire::HttpRequest head,
                                                           wire::ResponderPtr responder) override {
        methods.push_back(head.method);
        auto reader = rig_.api.stream(std::move(head), std::move(responder));
        rig_.settle();
        return reader == nullptr ? nullptr : std::make_unique<Reader>(rig_, std::move(reader));
    }
    [[nodiscard]] std::unique_ptr<wire::BodyReader> resume(std::string mark, const wire::Peer& peer,
                                                           wire::ResponderPtr responder) override {
        return rig_.api.resume(std::move(mark), peer, std::move(responder));
    }
    [[nodiscard]] wire::HttpResponse refusal(int status, std::string_view reason) const override {
        return rig_.api.refusal(status, reason);
    }

    std::vector<std::string> methods;  // of the requests that were handed on

private:
    class Reader final : public wire::BodyReader {
    public:
        Reader(test::ApiRig& rig, std::unique_ptr<wire::BodyReader> inner)
            : rig_(rig), inner_(std::move(inner)) {}
        void data(std::string_view piece) override {
            then_settle([&] { inner_->data(piece); });
        }
        void end() override {
            then_settle([&] { inner_->end(); });
        }
        void stopped() override {
            then_settle([&] { inner_->stopped(); });
        }
        void aborted() override {
            then_settle([&] { inner_->aborted(); });
        }

    private:
        void then_settle(const auto& call) {
            call();
            rig_.settle();
        }
        test::ApiRig& rig_;
        std::unique_ptr<wire::BodyReader> inner_;
    };

    test::ApiRig& rig_;
};

class NoOwner final : public wire::SessionOwner {
public:
    void session_changed() override {}
    void note(wire::SessionNote) override {}
};

/// Small, so that short inputs reach them.
inline constexpr wire::HttpLimits small_limits{.head = {.head_bytes_max = 1024, .headers_max = 16},
                                               .body_bytes_max = 2048,
                                               .discard_bytes_max = 4096};

struct Conversation {
    std::string answers;
    std::vector<std::string> methods;
    bool cut = false;  ///< in a streamed body: what was not taken by then is lost
};

/// All that is answered to what comes in these pieces; then the client goes away.
inline Conversation converse(const std::vector<std::string_view>& pieces) {
    test::ApiRig rig;
    rig.triggers.at_once = true;
    PromptApi api(rig);
    NoOwner owner;
    Conversation told;
    wire::SessionBudget budget(16UL << 20);
    wire::SessionBudget::Share share(budget, 1000, false);
    wire::HttpSession session(small_limits, api, owner, rig.clock, share,
                              wire::Peer{.uid = 0, .known = true});
    const auto take = [&] {
        while (!session.output().empty()) {
            const std::string out(session.output());
            told.answers += out;
            session.written(out.size());
            rig.settle();
        }
    };
    for (const std::string_view piece : pieces) {
        session.receive(piece);
        rig.settle();
        take();
    }
    session.end_of_input();
    rig.settle();
    take();
    told.cut = session.finished() && !session.output_ended();
    session.connection_lost();
    rig.settle();
    SMSRACK_CHECK(session.finished() && session.output().empty());
    told.methods = std::move(api.methods);
    return told;
}

}  // namespace smsrack::fuzz
