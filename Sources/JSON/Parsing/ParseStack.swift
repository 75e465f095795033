/// A stack in one piece of memory, from whose top whole arrays can be moved.
struct ParseStack<Element>: ~Copyable {
    private var storage: UnsafeMutablePointer<Element>
    private var capacity: Int
    private(set) var count = 0

    /// An empty stack with room for `capacity` elements.
    init(capacity: Int) {
        self.capacity = capacity
        storage = .allocate(capacity: capacity)
    }

    deinit {
        storage.deinitialize(count: count)
        storage.deallocate()
    }

    /// The element at a position below `count`.
    @inline(__always)
    subscript(position: Int) -> Element { storage[position] }

    @inline(__always)
    mutating func push(_ element: consuming Element) {
        if count == capacity { grow() }
        (storage + count).initialize(to: element)
        count &+= 1
    }

    /// Removes and returns the last element; there must be one.
    @inline(__always)
    mutating func pop() -> Element {
        count &-= 1
        return (storage + count).move()
    }

    /// Removes the last `length` elements, of which there must be as many, and returns them.
    @inline(__always)
    mutating func takeLast(_ length: Int) -> [Element] {
        let first = surrender(length)
        // Most arrays are short, and each of these ways is the fastest for its lengths.
        switch length {
        case 1: return [first.move()]
        case 2: return [first.move(), (first + 1).move()]
        case 3: return [first.move(), (first + 1).move(), (first + 2).move()]
        default: return Array(length) { (first + $0).move() }
        }
    }

    /// Removes the last `length` elements; there must be as many. The caller moves them from where they begin.
    @inline(__always)
    mutating func surrender(_ length: Int) -> UnsafeMutablePointer<Element> {
        count &-= length
        return storage + count
    }

    /// Removes and destroys the last `length` elements; there must be as many.
    mutating func removeLast(_ length: Int) {
        surrender(length).deinitialize(count: length)
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: storage, count: count)
        storage.deallocate()
        storage = larger
        capacity *= 2
    }
}

extension Array {
    /// An array of `count` elements with just the room for them, each made by `element` in turn.
    @inline(__always)
    init(_ count: Int, element: (Int) -> Element) {
        if count <= 24 {
            self = []
            reserveCapacity(count)
            for index in 0..<count { append(element(index)) }
        } else {
            // A call into the standard library's generic code, which is worth while for many elements only.
            self.init(unsafeUninitializedCapacity: count) { buffer, initializedCount in
                for index in 0..<count { buffer.initializeElement(at: index, to: element(index)) }
                initializedCount = count
            }
        }
    }
}
