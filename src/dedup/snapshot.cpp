#include "src/dedup/snapshot.hpp"

#include "src/base/hash.hpp"
#include "src/dedup/block_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <utility>

namespace smsrack::dedup {
namespace {

static_assert(std::endian::native == std::endian::little, "snapshots are little endian");

constexpr std::string_view magic = "smsrack dedup 01";
constexpr std::uint64_t tables_max = 64;  // generations double, so there are never so many

struct Header {
    std::array<char, 16> magic = {};
    std::uint64_t position = 0;
    std::uint64_t capacity = 0;
    double fp_rate = 0;
    HashKey key = {};
    std::uint64_t topics = 0;
};

struct TopicHead {
    std::uint64_t seal_before = 0;
    std::uint64_t topic = 0;
    std::uint64_t tables = 0;
};

struct TableHead {
    std::uint64_t buckets_log2 = 0;
    std::uint64_t width = 0;
    std::uint64_t slots = 0;
    std::uint64_t key_bits = 0;
    std::uint64_t blocks = 0;
    std::uint64_t keys_max = 0;
    std::uint64_t keys = 0;
    std::uint64_t spilled = 0;
    std::uint64_t erased = 0;
};

static_assert(std::has_unique_object_representations_v<TopicHead>);
static_assert(std::has_unique_object_representations_v<TableHead>);

class Section {
public:
    template <typename T>
    void put(const T* values, std::size_t count) {
        static_assert(std::is_trivially_copyable_v<T>);
        const auto octets = std::as_bytes(std::span(values, count));
        octets_.insert(octets_.end(), octets.begin(), octets.end());
    }
    template <typename T>
    void put(const T& value) {
        put(&value, 1);
    }

    /// All of it with its seal, which is given too.
    std::vector<std::byte> sealed(std::uint64_t& seal) {
        seal = seal_of(octets_);
        put(seal);
        return std::move(octets_);
    }

    static std::uint64_t seal_of(std::span<const std::byte> octets) {
        return hash64({reinterpret_cast<const char*>(octets.data()), octets.size()});
    }

private:
    std::vector<std::byte> octets_ = {};
};

class Reader {
public:
    explicit Reader(std::span<const std::byte> octets) : octets_(octets) {}

    template <typename T>
    [[nodiscard]] bool get(T* values, std::uint64_t count) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (count > (octets_.size() - at_) / sizeof(T)) {
            return false;
        }
        const auto size = static_cast<std::size_t>(count) * sizeof(T);  // in what is left
        if (size != 0) {
            std::memcpy(static_cast<void*>(values), octets_.data() + at_, size);
        }
        at_ += size;
        return true;
    }
    template <typename T>
    [[nodiscard]] bool get(T& value) {
        return get(&value, 1);
    }
    /// Reads the seal of what was read since the last one.
    [[nodiscard]] bool is_sealed(std::uint64_t& seal) {
        const auto section = octets_.subspan(begun_, at_ - begun_);
        const bool sealed = get(seal) && seal == Section::seal_of(section);
        begun_ = at_;
        return sealed;
    }
    [[nodiscard]] bool holds(std::uint64_t count, std::size_t size) const {
        return count <= (octets_.size() - at_) / size;
    }
    [[nodiscard]] bool at_end() const { return at_ == octets_.size(); }

private:
    std::span<const std::byte> octets_;
    std::size_t at_ = 0;
    std::size_t begun_ = 0;
};

void put_table(Section& section, const BlockTable& table) {
    const TableShape& shape = table.shape();
    section.put(TableHead{.buckets_log2 = shape.block.buckets_log2,
                          .width = shape.block.width,
                          .slots = shape.block.slots,
                          .key_bits = shape.key_bits,
                          .blocks = shape.blocks,
                          .keys_max = shape.keys_max,
                          .keys = table.keys(),
                          .spilled = table.spilled(),
                          .erased = table.erased() ? 1U : 0U});
    std::vector<std::uint64_t> spill(table.spill().begin(), table.spill().end());
    std::ranges::sort(spill);  // the same set gives the same octets
    section.put(spill.data(), spill.size());
    section.put(table.blocks().data(), table.blocks().size());
}

/// What a sealed section of ours can't have said.
bool is_possible(const TableHead& head) {
    return head.buckets_log2 <= 6 && head.width < 64 && head.slots < 64 &&
           head.key_bits == TopicFilter::key_bits && head.blocks >= 2 && head.erased <= 1 &&
           BlockShape{.buckets_log2 = static_cast<unsigned>(head.buckets_log2),
                      .width = static_cast<unsigned>(head.width),
                      .slots = static_cast<unsigned>(head.slots)}
               .fits();
}

std::optional<BlockTable> get_table(Reader& reader) {
    TableHead head;
    if (!reader.get(head) || !is_possible(head) || !reader.holds(head.blocks, sizeof(Block)) ||
        !reader.holds(head.spilled, sizeof(std::uint64_t))) {
        return std::nullopt;
    }
    const TableShape shape{.block = {.buckets_log2 = static_cast<unsigned>(head.buckets_log2),
                                     .width = static_cast<unsigned>(head.width),
                                     .slots = static_cast<unsigned>(head.slots)},
                           .blocks = head.blocks,
                           .keys_max = head.keys_max,
                           .key_bits = static_cast<unsigned>(head.key_bits)};
    BlockTable::Parts parts{.blocks = std::vector<Block>(static_cast<std::size_t>(head.blocks)),
                            .keys = head.keys,
                            .erased = head.erased == 1};
    for (std::uint64_t i = 0; i < head.spilled; ++i) {
        std::uint64_t key = 0;
        if (!reader.get(key)) {
            return std::nullopt;
        }
        parts.spill.insert(key);
    }
    if (!reader.get(parts.blocks.data(), parts.blocks.size()) ||
        !std::ranges::all_of(parts.blocks,
                             [&](const Block& block) { return block.is_sound(shape.block); })) {
        return std::nullopt;
    }
    return BlockTable(shape, std::move(parts));
}

std::unexpected<Error> damaged() {
    return fail(Errc::storage, "the snapshot of the filters is cut off or damaged: rebuild them");
}

}  // namespace

SnapshotWriter::SnapshotWriter(const ServingSet& set, std::uint64_t position)
    : set_(set), position_(position) {
    for (const TopicFigures& topic : set.topics()) {
        topics_.push_back(topic.topic);
    }
}

std::vector<std::byte> SnapshotWriter::next() {
    Section section;
    if (!begun_) {
        begun_ = true;
        Header header{.position = position_,
                      .capacity = set_.size().capacity,
                      .fp_rate = set_.size().fp_rate,
                      .key = set_.key(),
                      .topics = topics_.size()};
        std::ranges::copy(magic, header.magic.begin());
        section.put(header);
        return section.sealed(seal_);
    }
    if (written_ == topics_.size()) {
        return {};
    }
    const std::uint32_t topic = topics_[written_++];
    const std::vector<BlockTable> tables = set_.tables_of(topic);
    section.put(TopicHead{.seal_before = seal_, .topic = topic, .tables = tables.size()});
    for (const BlockTable& table : tables) {
        put_table(section, table);
    }
    return section.sealed(seal_);
}

Result<RestoredSet> restored_set(std::span<const std::byte> octets, const FilterSize& size) {
    Reader reader(octets);
    Header header;
    if (!reader.get(header) || !std::ranges::equal(header.magic, magic)) {
        return fail(Errc::protocol,
                    "this is no snapshot of filters, or one of another version: rebuild them");
    }
    std::uint64_t seal = 0;
    if (!reader.is_sealed(seal)) {
        return damaged();
    }
    if (FilterSize{.capacity = header.capacity, .fp_rate = header.fp_rate} != size) {
        return fail(Errc::conflict,
                    "the snapshot is of filters of another capacity or rate: rebuild them");
    }
    std::vector<std::pair<std::uint32_t, std::vector<BlockTable>>> topics;
    for (std::uint64_t i = 0; i < header.topics; ++i) {
        TopicHead head;
        if (!reader.get(head) || head.seal_before != seal || head.topic >= topics_max ||
            head.tables > tables_max) {
            return damaged();
        }
        auto& [topic, tables] = topics.emplace_back();
        topic = static_cast<std::uint32_t>(head.topic);
        for (std::uint64_t table = 0; table < head.tables; ++table) {
            auto got = get_table(reader);
            if (!got) {
                return damaged();
            }
            tables.push_back(std::move(*got));
        }
        if (!reader.is_sealed(seal)) {
            return damaged();
        }
    }
    if (!reader.at_end()) {
        return damaged();
    }
    return RestoredSet{.set = std::make_unique<ServingSet>(size, header.key, std::move(topics)),
                       .position = header.position};
}

}  // namespace smsrack::dedup
