#include "src/api/webhooks/measure_all.hpp"

#include <memory>
#include <utility>

namespace smsrack::api {
namespace {

struct Measuring : std::enable_shared_from_this<Measuring> {
    Measuring(webhook::Webhooks& all, MeasuredAll then) : webhooks(all), done(std::move(then)) {}

    void next() {
        if (found.size() >= webhooks.all().size()) {
            return done(std::move(found));
        }
        webhooks.all()[found.size()]->measure(
            [self = shared_from_this()](const Result<webhook::Measured>& one) {
                if (!one) {
                    return self->done(std::unexpected(one.error()));
                }
                self->found.push_back(*one);
                self->next();
            });
    }

    webhook::Webhooks& webhooks;
    MeasuredAll done;
    std::vector<webhook::Measured> found = {};
};

}  // namespace

void measure_all(webhook::Webhooks* webhooks, MeasuredAll done) {
    if (webhooks == nullptr) {
        return done(std::vector<webhook::Measured>());
    }
    std::make_shared<Measuring>(*webhooks, std::move(done))->next();
}

}  // namespace smsrack::api
