/// Writes the journal as JSON Lines:
/// {"t":12.345678,"wall":1790000000000,"event":"submit","modem":0,...}.
///
/// The first line, "event":"start", has `steady_us`: the monotonic clock at t = 0, for measurements
/// on the same machine. Each line is one write(2) before the call returns: it is in the file before
/// the host can see an answer.
/// Unit:    `t` seconds since the start; `wall` milliseconds since 1970; `service_us`,
///          `*_us` microseconds.
#pragma once

#include "src/base/result.hpp"
#include "tools/modem_model/journal.hpp"
#include "tools/modem_model/settings.hpp"
#include "tools/modem_sim/descriptor.hpp"

#include <string>

namespace smsrack::modem_sim {

class JsonLog final : public Journal {
public:
    /// Appends to `path`; an empty one writes nothing.
    [[nodiscard]] static Result<Descriptor> open_file(const std::string& path);
    JsonLog(Descriptor file, TimeBase start) : file_(std::move(file)), start_(start) {}

    /// The first line.
    void start();
    void submit(SteadyTime at, unsigned modem, const SubmitEntry& entry) override;
    void refused(SteadyTime at, unsigned modem, int cms_code) override;
    void delivery(SteadyTime at, unsigned modem, const DeliveryEntry& entry) override;
    void given(SteadyTime at, unsigned modem, const DeliveryEntry& entry) override;
    void fault(SteadyTime at, unsigned modem, std::string_view name) override;

private:
    void write_delivery(SteadyTime at, std::string_view event, unsigned modem,
                        const DeliveryEntry& entry);
    template <typename Members>
    void write(SteadyTime at, std::string_view event, const Members& members);

    Descriptor file_;
    TimeBase start_;
    std::string line_;  // kept for its memory
};

}  // namespace smsrack::modem_sim
