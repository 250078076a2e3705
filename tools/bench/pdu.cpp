// How many PDUs a second are decoded and encoded? In memory on one core, and as lines through the
// program. And from how many on is it worth a hand-over to another thread?
#include "src/base/check.hpp"
#include "src/base/thread_pool.hpp"
#include "src/base/waiter.hpp"
#include "src/pdu/decode.hpp"
#include "src/pdu/message_pdus.hpp"
#include "tools/bench/questions.hpp"
#include "tools/rig/message_form.hpp"
#include "tools/rig/process.hpp"
#include "tools/rig/rack.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <variant>
#include <vector>

namespace smsrack::bench {
namespace {

using std::chrono::steady_clock;

constexpr double bound_in_memory = 1'000'000;
constexpr double bound_lines = 200'000;
constexpr std::size_t usual_lines = 1'000'000;
constexpr unsigned rounds = 5;  // the best counts: the others had neighbours

/// A received message of 40 letters, a status report, a received UCS-2 message; in hex, with the
/// service centre.
constexpr std::array received_hex{
    std::string_view("07913306091093F0040B913306001032F400006211126180240028"
                     "D9775D0E1287C761790C448FCB59A0CE054FA3C3A0711D94769F41E9B43C5D9787CB2E"),
    std::string_view("07913306091093F006420B913306001032F4621112618024006211126180744000"),
    std::string_view("07913306091093F0040B913306001032F40008621112618024001C"
                     "004200E9006E00E900660069006300650020003A00200031003200A0"),
};

std::vector<std::uint8_t> octets_of(std::string_view hex) {
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'A' + 10; };
    std::vector<std::uint8_t> octets;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        octets.push_back(static_cast<std::uint8_t>(digit(hex[i]) * 16 + digit(hex[i + 1])));
    }
    return octets;
}

/// Everything of a PDU, its text as UTF-8 included; the text's octets, so that nothing is left out.
std::size_t read_whole(const pdu::DecodedPdu& decoded) {
    pdu::SegmentText text;
    if (const auto* deliver = std::get_if<pdu::SmsDeliver>(&decoded.tpdu)) {
        deliver->user_data.read_text(text);
        return text.view().size();
    }
    return 0;
}

/// The most that `work` did in a second, of some rounds; it returns how many it did.
template <typename Work>
double best_rate(std::chrono::milliseconds round, const Work& work) {
    double best = 0;
    for (unsigned i = 0; i < rounds; ++i) {
        std::size_t done = 0;
        const auto start = steady_clock::now();
        auto now = start;
        for (; now - start < round; now = steady_clock::now()) {
            done += work();
        }
        best = std::max(
            best, static_cast<double>(done) / std::chrono::duration<double>(now - start).count());
    }
    return best;
}

double decode_rate(std::chrono::milliseconds round) {
    std::vector<std::vector<std::uint8_t>> pdus;
    for (const std::string_view hex : received_hex) {
        pdus.push_back(octets_of(hex));
    }
    return best_rate(round, [&] {
        constexpr std::size_t turns = 1000;
        std::size_t characters = 0;
        for (std::size_t i = 0; i < turns; ++i) {
            for (const auto& octets : pdus) {
                const auto decoded = pdu::decode_pdu(octets, pdu::Direction::to_mobile);
                SMSRACK_CHECK(decoded.has_value());
                characters += read_whole(*decoded);
            }
        }
        SMSRACK_CHECK(characters > turns);
        return turns * pdus.size();
    });
}

double encode_rate(std::chrono::milliseconds round) {
    const MessageBody body{.to = rig::MessageForm::recipient(42),
                           .text = std::string(rig::forty_letters),
                           .report = false};
    return best_rate(round, [&] {
        constexpr std::size_t turns = 1000;
        std::size_t octets = 0;
        for (std::size_t i = 0; i < turns; ++i) {
            const auto pdus = pdu::encode_message(body, {.valid_for = std::chrono::hours(24)});
            SMSRACK_CHECK(pdus.has_value());
            octets += pdus->front().size();
        }
        SMSRACK_CHECK(octets > turns);
        return turns;
    });
}

/// The median of the times from a job's post to a pool until this thread has its result, in seconds. Thread and pool sleep in between, as in a
/// rack where little is to do.
double pool_round_trip() {
    constexpr std::size_t jobs = 1'001;
    ThreadPool pool({.name = "bench", .threads_max = 1});
    SemaphoreWaiter waiter;
    std::vector<double> times;
    for (std::size_t i = 0; i < jobs; ++i) {
        std::this_thread::sleep_for(std::chrono::microseconds(500));
        const auto start = steady_clock::now();
        pool.post([&waiter] { waiter.wake(); });
        waiter.wait_until(never);
        times.push_back(std::chrono::duration<double>(steady_clock::now() - start).count());
    }
    std::ranges::nth_element(times, times.begin() + jobs / 2);
    return times[jobs / 2];
}

/// Lines per second through a `smsrack pdu decode` of our own, file in, file out.
Result<double> line_rate(const Context& context, std::size_t lines) {
    const auto smsrack = rig::program("smsrack");
    if (!smsrack) {
        return std::unexpected(smsrack.error());
    }
    const auto input = context.folder / "lines";
    const auto output = context.folder / "json";
    {
        std::ofstream out(input, std::ios::binary);
        for (std::size_t i = 0; i < lines; ++i) {
            out << received_hex.at(i % received_hex.size()) << '\n';
        }
    }
    const auto start = steady_clock::now();
    rig::Process process({.words = {smsrack->string(), "pdu", "decode", "--direction", "mt"},
                          .output = output,
                          .input = input});
    while (process.running()) {
        if (context.interrupt.came()) {
            return rig::called_off();
        }
        (void)process.wait(std::chrono::milliseconds(50));
    }
    const auto seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
    const auto ending = process.wait(std::chrono::milliseconds(0));
    std::error_code error;
    const bool silent = std::filesystem::file_size(output, error) < lines || error;
    if (!ending || ending->code != 0 || silent) {
        return fail(Errc::protocol, "smsrack pdu decode failed");
    }
    return static_cast<double>(lines) / seconds;
}

}  // namespace

Result<Report> pdu(const Context& context) {
    const std::chrono::milliseconds round(
        std::chrono::milliseconds(std::chrono::seconds(context.options.seconds.value_or(rounds))) /
        rounds);
    const std::size_t lines_wanted = context.options.messages.value_or(usual_lines);
    const auto lines = line_rate(context, lines_wanted);
    if (!lines) {
        return std::unexpected(lines.error());
    }
    const double encoded = encode_rate(round);
    const double round_trip = pool_round_trip();
    const auto per_second = [](const char* name, double value, double bound) {
        return Figure{
            .name = name, .value = value, .unit = "/s", .decimals = 0, .goal = at_least(bound)};
    };
    return Report{
        .question = "pdu",
        .conditions = {"decoding: SMS-DELIVER with 40 letters, SMS-STATUS-REPORT, SMS-DELIVER in "
                       "UCS-2, by turns, text as UTF-8; encoding: a message of 40 letters to its "
                       "SMS-SUBMIT",
                       fmt::format("in memory: one core, best of {} rounds of {} ms; lines: {} "
                                   "through smsrack pdu decode, file to file",
                                   rounds, round.count(), lines_wanted)},
        .figures = {per_second("decoded in memory", decode_rate(round), bound_in_memory),
                    per_second("encoded in memory", encoded, bound_in_memory),
                    per_second("lines through smsrack pdu decode", *lines, bound_lines),
                    {.name = "to a pool of threads and back, median",
                     .value = round_trip * 1e6,
                     .unit = "us"},
                    {.name = "segments encoded in that time",
                     .value = round_trip * encoded,
                     .decimals = 0}}};
}

}  // namespace smsrack::bench
