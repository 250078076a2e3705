#include "tools/lab/dedup_compare/redis.hpp"

#include "tools/client/http_client.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <utility>

namespace smsrack::lab {
namespace {

using dedup::PairKey;

// 33 a number, for a million of them.
constexpr std::uint64_t bitmap_bits = std::uint64_t{1} << 25U;
constexpr unsigned bits_set = 8;
constexpr std::size_t events_a_call = 64;
constexpr std::size_t calls_on_their_way = 4;
constexpr auto patience = std::chrono::seconds(10);

/// KEYS: a bitmap for each event; ARGV: its two hashes, by which its bits lie.
constexpr std::string_view script = R"(
local fresh = 0
for e = 1, #KEYS do
  local h, d, unset = tonumber(ARGV[2 * e - 1]), tonumber(ARGV[2 * e]), 0
  for i = 0, 7 do
    if redis.call('SETBIT', KEYS[e], (h + i * d) % 33554432, 1) == 0 then unset = 1 end
  end
  fresh = fresh + unset
end
return fresh)";

struct Hashes {
    std::uint64_t first = 0;
    std::uint64_t step = 0;
};

Hashes hashes_of(const PairKey& pair) {
    const std::uint64_t hash = dedup::PairKeyHash::bits(pair);
    return {.first = hash % bitmap_bits, .step = (hash >> 32U) % bitmap_bits | 1U};
}

void add_word(std::string& call, std::string_view word) {
    fmt::format_to(std::back_inserter(call), "${}\r\n{}\r\n", word.size(), word);
}

}  // namespace

std::optional<std::filesystem::path> RedisBitmaps::installed() {
    const char* const path = std::getenv("PATH");
    std::string_view folders = path == nullptr ? "/usr/bin" : path;
    while (!folders.empty()) {
        const std::size_t end = std::min(folders.find(':'), folders.size());
        auto program = std::filesystem::path(folders.substr(0, end)) / "redis-server";
        std::error_code error;
        if (std::filesystem::exists(program, error)) {
            return program;
        }
        folders.remove_prefix(std::min(end + 1, folders.size()));
    }
    return std::nullopt;
}

Result<RedisBitmaps> RedisBitmaps::start(const std::filesystem::path& program,
                                         const std::filesystem::path& folder) {
    const auto socket = folder / "redis.sock";
    RedisBitmaps redis;
    redis.process_ = std::make_unique<rig::Process>(
        rig::Command{.words = {program.string(), "--port", "0", "--unixsocket", socket.string(),
                               "--dir", folder.string(), "--save", "", "--appendonly", "no"},
                     .output = folder / "redis.log"});
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!redis.fd_) {
        if (auto connected = client::connect_unix(socket.string())) {
            redis.fd_ = std::move(*connected);
        } else if (!redis.process_->running() || std::chrono::steady_clock::now() > deadline) {
            return fail(Errc::no_device,
                        fmt::format("{} does not start: see redis.log (--keep)", program.string()));
        } else {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }
    std::string call = "*3\r\n";
    add_word(call, "SCRIPT");
    add_word(call, "LOAD");
    add_word(call, script);
    if (auto sent = redis.send(call); !sent) {
        return std::unexpected(sent.error());
    }
    auto name = redis.answer();
    if (!name) {
        return std::unexpected(name.error());
    }
    redis.script_ = std::move(*name);
    return redis;
}

Result<> RedisBitmaps::load(std::uint32_t topic, std::span<const PairKey> pairs) {
    std::string bitmap(bitmap_bits / 8, '\0');
    for (const PairKey& pair : pairs) {
        const Hashes hashes = hashes_of(pair);
        for (unsigned i = 0; i < bits_set; ++i) {
            const auto bit =
                static_cast<std::size_t>((hashes.first + i * hashes.step) % bitmap_bits);
            bitmap[bit / 8] =
                static_cast<char>(static_cast<unsigned char>(bitmap[bit / 8]) | 0x80U >> (bit % 8));
        }
    }
    std::string call = "*3\r\n";
    add_word(call, "SET");
    add_word(call, fmt::format("t{}", topic));
    add_word(call, bitmap);
    if (auto sent = send(call); !sent) {
        return sent;
    }
    const auto said = answer();
    return said ? Result<>{} : std::unexpected(said.error());
}

Result<std::uint64_t> RedisBitmaps::test_and_insert(std::span<const PairKey> batch) {
    std::uint64_t fresh = 0;
    std::size_t waiting = 0;
    const auto take_answer = [&]() -> Result<> {
        const auto said = answer();
        if (!said) {
            return std::unexpected(said.error());
        }
        fresh += std::strtoull(said->c_str(), nullptr, 10);
        --waiting;
        return {};
    };
    for (std::size_t at = 0; at < batch.size(); at += events_a_call) {
        const auto events = batch.subspan(at, std::min(events_a_call, batch.size() - at));
        std::string call = fmt::format("*{}\r\n", 3 + events.size() * 3);
        add_word(call, "EVALSHA");
        add_word(call, script_);
        add_word(call, fmt::format("{}", events.size()));
        for (const PairKey& event : events) {
            add_word(call, fmt::format("t{}", event.topic));
        }
        for (const PairKey& event : events) {
            const Hashes hashes = hashes_of(event);
            add_word(call, fmt::format("{}", hashes.first));
            add_word(call, fmt::format("{}", hashes.step));
        }
        if (auto sent = send(call); !sent) {
            return std::unexpected(sent.error());
        }
        if (++waiting == calls_on_their_way) {
            if (auto took = take_answer(); !took) {
                return std::unexpected(took.error());
            }
        }
    }
    while (waiting != 0) {
        if (auto took = take_answer(); !took) {
            return std::unexpected(took.error());
        }
    }
    return fresh;
}

Result<> RedisBitmaps::send(std::string_view octets) const {
    while (!octets.empty()) {
        const ssize_t sent = ::send(fd_.get(), octets.data(), octets.size(), MSG_NOSIGNAL);
        if (sent < 0) {
            return fail(Errc::closed, "redis-server: send", errno);
        }
        octets.remove_prefix(static_cast<std::size_t>(sent));
    }
    return {};
}

Result<char> RedisBitmaps::octet() {
    if (at_ == read_.size()) {
        read_.resize(std::size_t{1} << 16U);
        at_ = 0;
        const ssize_t got = ::recv(fd_.get(), read_.data(), read_.size(), 0);
        if (got <= 0) {
            read_.clear();
            return fail(Errc::closed, "redis-server: receive", got < 0 ? errno : 0);
        }
        read_.resize(static_cast<std::size_t>(got));
    }
    return read_[at_++];
}

Result<std::string> RedisBitmaps::answer() {
    std::string line;
    while (!line.ends_with("\r\n")) {
        const auto next = octet();
        if (!next) {
            return std::unexpected(next.error());
        }
        line += *next;
    }
    std::string said = line.substr(1, line.size() - 3);
    if (line[0] == '+' || line[0] == ':') {
        return said;
    }
    if (line[0] != '$') {
        return fail(Errc::protocol, "redis-server: " + said);
    }
    std::string text;
    for (auto left = std::strtoull(said.c_str(), nullptr, 10) + 2; left != 0; --left) {
        const auto next = octet();
        if (!next) {
            return std::unexpected(next.error());
        }
        text += *next;
    }
    text.resize(text.size() - 2);
    return text;
}

}  // namespace smsrack::lab
